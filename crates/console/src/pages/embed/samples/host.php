<?php
// php -S localhost:4000 host.php

/** Returns the signed-in user of your product. Use your own session, never the request's body or URL. Without a session, return null. */
function signed_in(): ?array
{
    return [
        'organization' => [
            'externalId' => 'example-customer',
            'name' => 'Example customer',
            'properties' => (object) [
                '{{organization.key}}' => '{{organization.value}}',
            ],
        ],
        'user' => [
            'externalId' => 'example-user',
            'name' => 'Example user',
            'userRoleId' => '{{role}}',
            'properties' => (object) [
                '{{user.key}}' => '{{user.value}}',
            ],
        ],
    ];
}

function embed_token(array $person): array
{
    $call = curl_init('{{api}}/v1/api/projects/embed-token');
    curl_setopt_array($call, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 10,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('INLAY_API_KEY'), 'Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode(['projectId' => '{{project}}'] + $person),
    ]);
    $answer = curl_exec($call);
    $status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
    if ($status !== 200) {
        // The body of an error has its code and message.
        throw new RuntimeException("embed-token answered $status " . ($answer === false ? curl_error($call) : $answer));
    }
    $data = json_decode($answer, true)['data'];
    return ['token' => $data['token'], 'expiresAt' => $data['expiresAt']];
}

function answer(int $status, array $body): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    header('Cache-Control: no-store');
    echo json_encode((object) $body);
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST' || parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/analytics/token') {
    answer(404, []);
} elseif (($person = signed_in()) === null) {
    answer(401, []);
} else {
    try {
        answer(200, embed_token($person));
    } catch (RuntimeException $problem) {
        error_log($problem->getMessage());
        answer(502, []);
    }
}

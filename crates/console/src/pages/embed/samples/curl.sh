# Try it in a shell: the response has token and expiresAt, an error its code and message.
curl --fail-with-body "{{api}}/v1/api/projects/embed-token" \
  -H "Authorization: Bearer $INLAY_API_KEY" -H "Content-Type: application/json" \
  -d '{
    "projectId": "{{project}}",
    "organization": {
      "externalId": "example-customer",
      "name": "Example customer",
      "properties": {{organization}}
    },
    "user": {
      "externalId": "example-user",
      "name": "Example user",
      "userRoleId": "{{role}}",
      "properties": {{user}}
    }
  }'

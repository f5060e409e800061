// java Host.java
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

class Host {
    private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    /** Returns the signed-in user of your product. Use your own session, never the request's body or URL. Without a session, return null. */
    static Map<String, Object> signedIn(HttpExchange exchange) {
        Map<String, Object> ofOrganization = new LinkedHashMap<>();
        ofOrganization.put("{{organization.key}}", "{{organization.value}}");
        Map<String, Object> ofUser = new LinkedHashMap<>();
        ofUser.put("{{user.key}}", "{{user.value}}");
        Map<String, Object> user = new LinkedHashMap<>();
        user.put("externalId", "example-user");
        user.put("name", "Example user");
        user.put("userRoleId", "{{role}}");
        user.put("properties", ofUser);
        return Map.of(
            "projectId", "{{project}}",
            "organization", Map.of("externalId", "example-customer", "name", "Example customer", "properties", ofOrganization),
            "user", user);
    }

    /** The token and expiresAt, as JSON for the page. */
    static String embedToken(Map<String, Object> person) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("{{api}}/v1/api/projects/embed-token"))
            .timeout(Duration.ofSeconds(10))
            .header("Authorization", "Bearer " + System.getenv("INLAY_API_KEY"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json(person)))
            .build();
        HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            // The body of an error has its code and message.
            throw new IOException("embed-token answered " + answer.statusCode() + " " + answer.body());
        }
        return json(Map.of("token", field("token", answer.body()), "expiresAt", field("expiresAt", answer.body())));
    }

    /** A field of the response. Use your JSON library if you have one: a token and a time contain no escapes. */
    private static String field(String name, String json) throws IOException {
        Matcher found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"\\\\]+)\"").matcher(json);
        if (!found.find()) {
            throw new IOException("embed-token answered no " + name);
        }
        return found.group(1);
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        return value.toString().chars()
            .mapToObj(letter -> letter < ' ' || letter == '"' || letter == '\\' ? String.format("\\u%04x", letter) : String.valueOf((char) letter))
            .collect(Collectors.joining("", "\"", "\""));
    }

    private static void answer(HttpExchange exchange) throws IOException {
        int status = 404;
        String body = "{}";
        if (exchange.getRequestMethod().equals("POST") && exchange.getRequestURI().getPath().equals("/analytics/token")) {
            Map<String, Object> person = signedIn(exchange);
            try {
                status = person == null ? 401 : 200;
                body = person == null ? body : embedToken(person);
            } catch (IOException | InterruptedException problem) {
                System.err.println(problem.getMessage());
                status = 502;
            }
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "4000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", port), 0);
        server.createContext("/", Host::answer);
        server.start();
    }
}

// dotnet new web; this is Program.cs
using System.Net.Http.Headers;
using System.Text.Json;

var application = WebApplication.CreateBuilder(args).Build();
var client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

application.MapPost("/analytics/token", async (HttpContext context) =>
{
    context.Response.Headers.CacheControl = "no-store";
    var person = SignedIn(context);
    if (person is null) return Results.Json(new { }, statusCode: 401);
    try
    {
        return Results.Json(await EmbedToken(person));
    }
    catch (Exception problem) when (problem is HttpRequestException or TaskCanceledException or JsonException)
    {
        application.Logger.LogError("{Problem}", problem.Message);
        return Results.Json(new { }, statusCode: 502);
    }
});

application.Run($"http://localhost:{Environment.GetEnvironmentVariable("PORT") ?? "4000"}");

// Returns the signed-in user of your product. Use your own session, never the request's body or URL. Without a session, return null.
static object? SignedIn(HttpContext context) => new Dictionary<string, object>
{
    ["projectId"] = "{{project}}",
    ["organization"] = new Dictionary<string, object>
    {
        ["externalId"] = "example-customer",
        ["name"] = "Example customer",
        ["properties"] = new Dictionary<string, object>
        {
            ["{{organization.key}}"] = "{{organization.value}}",
        },
    },
    ["user"] = new Dictionary<string, object>
    {
        ["externalId"] = "example-user",
        ["name"] = "Example user",
        ["userRoleId"] = "{{role}}",
        ["properties"] = new Dictionary<string, object>
        {
            ["{{user.key}}"] = "{{user.value}}",
        },
    },
};

async Task<object> EmbedToken(object person)
{
    using var request = new HttpRequestMessage(HttpMethod.Post, "{{api}}/v1/api/projects/embed-token");
    request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", Environment.GetEnvironmentVariable("INLAY_API_KEY"));
    request.Content = JsonContent.Create(person);
    using var answer = await client.SendAsync(request);
    var body = await answer.Content.ReadAsStringAsync();
    // The body of an error has its code and message.
    if (!answer.IsSuccessStatusCode) throw new HttpRequestException($"embed-token answered {(int)answer.StatusCode} {body}");
    var data = JsonDocument.Parse(body).RootElement.GetProperty("data");
    return new { token = data.GetProperty("token").GetString(), expiresAt = data.GetProperty("expiresAt").GetString() };
}

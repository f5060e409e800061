# gem install sinatra rackup puma; ruby host.rb -p 4000
require "json"
require "net/http"
require "sinatra"

# Returns the signed-in user of your product. Use your own session, never the request's body or URL. Without a session, return nil.
def signed_in(request)
  {
    organization: {
      externalId: "example-customer",
      name: "Example customer",
      properties: {
        "{{organization.key}}" => "{{organization.value}}",
      },
    },
    user: {
      externalId: "example-user",
      name: "Example user",
      userRoleId: "{{role}}",
      properties: {
        "{{user.key}}" => "{{user.value}}",
      },
    },
  }
end

def embed_token(person)
  address = URI("{{api}}/v1/api/projects/embed-token")
  call = Net::HTTP::Post.new(address, "Authorization" => "Bearer #{ENV.fetch("INLAY_API_KEY")}", "Content-Type" => "application/json")
  call.body = JSON.generate({ projectId: "{{project}}", **person })
  answer = Net::HTTP.start(address.host, address.port, use_ssl: address.scheme == "https", read_timeout: 10) { |http| http.request(call) }
  # The body of an error has its code and message.
  raise "embed-token answered #{answer.code} #{answer.body}" unless answer.is_a?(Net::HTTPSuccess)

  JSON.parse(answer.body).fetch("data").slice("token", "expiresAt")
end

post "/analytics/token" do
  content_type :json
  cache_control :no_store
  person = signed_in(request)
  halt 401, "{}" unless person
  JSON.generate(embed_token(person))
rescue StandardError => problem
  warn problem.message
  halt 502, "{}"
end

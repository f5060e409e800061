-- Load for wrk: repeated sign-ins of known users and customers. Prints the result as JSON.
local key = os.getenv("BENCH_API_KEY")
local project = os.getenv("BENCH_PROJECT")
-- With BENCH_USERS, the load is spread over that many users from `fill_users`. Without, over a hundred of its own.
local users = tonumber(os.getenv("BENCH_USERS") or "0")
local bodies = {}
for i = 0, 99 do
  bodies[i] = string.format(
    '{"projectId":"%s","organization":{"externalId":"customer-%d","name":"Customer %d","properties":{"company":"acme","tier":%d}},'
      .. '"user":{"externalId":"user-%d","name":"User %d","properties":{"region":"north"}},"expiration":"1h"}',
    project, i % 10, i % 10, i % 10, i, i)
end

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. key

local sent = 0
function request()
  sent = sent + 1
  if users > 0 then
    local i = math.random(0, users - 1)
    return wrk.format(nil, nil, nil, string.format(
      '{"projectId":"%s","organization":{"externalId":"grown-%d"},"user":{"externalId":"grown-%d"}}', project, math.floor(i / 100), i))
  end
  return wrk.format(nil, nil, nil, bodies[sent % 100])
end

function done(summary, latency)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format('\n{"requests":%d,"seconds":%f,"failed":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, failed, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

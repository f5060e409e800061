-- Load for wrk: posts one body to several paths in turn, with a pause before each request where BENCH_PAUSE says so. Prints what happened as JSON.
local paths = {}
for path in os.getenv("BENCH_PATHS"):gmatch("%S+") do
  paths[#paths + 1] = path
end

wrk.method = "POST"
wrk.body = "{}"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("BENCH_TOKEN")

local sent = 0
function request()
  sent = sent + 1
  return wrk.format(nil, paths[sent % #paths + 1])
end

local pause = tonumber(os.getenv("BENCH_PAUSE") or "")
if pause then
  -- Milliseconds, whole ones: half of the requests wait one more.
  function delay()
    return pause + sent % 2
  end
end

function done(summary, latency)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format('\n{"requests":%d,"seconds":%f,"failed":%d,"bytes":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, failed, summary.bytes, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

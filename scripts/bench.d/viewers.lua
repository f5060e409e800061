-- Load for wrk: opens several pages in turn, as a browser asks for them. Prints what happened as JSON.
local paths = {}
for path in os.getenv("BENCH_PATHS"):gmatch("%S+") do
  paths[#paths + 1] = path
end

wrk.headers["Accept-Encoding"] = "gzip, deflate, br"

local sent = 0
function request()
  sent = sent + 1
  return wrk.format(nil, paths[sent % #paths + 1])
end

function done(summary, latency)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format('\n{"requests":%d,"seconds":%f,"failed":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, failed, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end

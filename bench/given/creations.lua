-- What wrk sends to create runs: prompts of 300 bytes, none like another; and what it reports.
local run = os.getenv("BENCH_RUN") or "0"
local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. (os.getenv("BENCH_TOKEN") or "") }

function request()
  sent = (sent or 0) + 1
  local head = string.format("Look at build %s-%d and say what broke. ", run, sent)
  local body = '{"prompt":"' .. head .. string.rep("x", 300 - #head) .. '","config":{"name":"bench"},"metadata":{"team":"core"}}'
  return wrk.format("POST", nil, headers, body)
end

function done(summary, latency)
  io.write(string.format('\nRESULT {"requests":%d,"us":%d,"failed":%d,"status":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    summary.errors.status, latency:percentile(50), latency:percentile(99)))
end

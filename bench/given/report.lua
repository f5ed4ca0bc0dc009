-- What wrk reports of a load: one line of JSON.
function done(summary, latency)
  io.write(string.format('\nRESULT {"requests":%d,"us":%d,"failed":%d,"status":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    summary.errors.status, latency:percentile(50), latency:percentile(99)))
end

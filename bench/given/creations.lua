-- What wrk sends to create runs: prompts of 300 bytes, none like another.
dofile(os.getenv("BENCH_GIVEN") .. "/report.lua")
local run = os.getenv("BENCH_RUN") or "0"
local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. (os.getenv("BENCH_TOKEN") or "") }

function request()
  sent = (sent or 0) + 1
  local head = string.format("Look at build %s-%d and say what broke. ", run, sent)
  local body = '{"prompt":"' .. head .. string.rep("x", 300 - #head) .. '","config":{"name":"bench"},"metadata":{"team":"core"}}'
  return wrk.format("POST", nil, headers, body)
end

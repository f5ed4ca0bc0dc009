-- What wrk sends to read a page: the same request again and again, with a key of the API.
dofile(os.getenv("BENCH_GIVEN") .. "/report.lua")
local headers = { ["Authorization"] = "Bearer " .. (os.getenv("BENCH_TOKEN") or "") }

function request()
  return wrk.format("GET", nil, headers)
end

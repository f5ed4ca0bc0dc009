-- What wrk sends: bodies of 800 bytes, none like another, with the bearer token of the webhook.
dofile(os.getenv("BENCH_GIVEN") .. "/report.lua")
local run = os.getenv("BENCH_RUN") or "0"
local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. (os.getenv("BENCH_TOKEN") or "") }
local prefix = '{"run":"' .. run .. '","thread":'
local threads = 0
local filler

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init()
  sent = 100000000
  local head = prefix .. number .. ',"n":100000000,"go":true,"filler":""}'
  filler = string.rep("x", 800 - #head)
end

function request()
  sent = sent + 1
  local body = prefix .. number .. string.format(',"n":%09d,"go":true,"filler":"', sent) .. filler .. '"}'
  return wrk.format("POST", nil, headers, body)
end

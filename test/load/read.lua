-- Article reads by fresh readers: each client id reads three times, over all articles. Environment: RUN (unique), ARTICLES,
-- NETWORK (reads come from 64 addresses of 10.NETWORK at a time, and from each 187 times), PAUSE_MS (mean pause of a
-- connection between two reads).
local threads = 0
function setup(thread)
  thread:set("id", threads)
  threads = threads + 1
end
function init()
  run = os.getenv("RUN") or "run"
  articles = tonumber(os.getenv("ARTICLES") or "10000")
  network = tonumber(os.getenv("NETWORK") or "")
  pause = tonumber(os.getenv("PAUSE_MS") or "0")
  count = 0
  math.randomseed(os.time() + id)
  if pause > 0 then
    delay = function() return math.random(0, math.floor(2 * pause)) end
  end
end
function request()
  local reader = math.floor(count / 3)
  local path = "/api/v1/content/bench-" .. math.random(0, articles - 1) .. "?site=org"
  local headers = { ["X-Agent-Client-Id"] = run .. "-" .. id .. "-" .. reader }
  if network then
    local address = math.floor(count / 12000) * 64 + reader % 64
    headers["X-Forwarded-For"] = string.format("10.%d.%d.%d", network, math.floor(address / 256) % 256, address % 256)
  end
  count = count + 1
  return wrk.format("GET", path, headers)
end
function done(summary, latency)
  io.write(string.format("RESULT {\"requests\":%d,\"seconds\":%f,\"p50\":%f,\"p99\":%f,\"bad\":%d,\"broken\":%d}\n",
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end

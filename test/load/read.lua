-- Article reads by fresh readers: each client id reads three times, over all articles. Environment: RUN (unique), ARTICLES.
local threads = 0
function setup(thread)
  thread:set("id", threads)
  threads = threads + 1
end
function init()
  run = os.getenv("RUN") or "run"
  articles = tonumber(os.getenv("ARTICLES") or "10000")
  count = 0
  math.randomseed(os.time() + id)
end
function request()
  local reader = math.floor(count / 3)
  count = count + 1
  local path = "/api/v1/content/bench-" .. math.random(0, articles - 1) .. "?site=org"
  return wrk.format("GET", path, { ["X-Agent-Client-Id"] = run .. "-" .. id .. "-" .. reader })
end
function done(summary, latency)
  io.write(string.format("RESULT {\"requests\":%d,\"seconds\":%f,\"p50\":%f,\"p99\":%f,\"bad\":%d,\"broken\":%d}\n",
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end

-- The same GET again and again. Environment: ETAG (sent as If-None-Match), ACCEPT_ENCODING.
function init()
  local etag = os.getenv("ETAG")
  if etag and etag ~= "" then wrk.headers["If-None-Match"] = etag end
  local coding = os.getenv("ACCEPT_ENCODING")
  if coding and coding ~= "" then wrk.headers["Accept-Encoding"] = coding end
end
function done(summary, latency)
  io.write(string.format("RESULT {\"requests\":%d,\"bytes\":%d,\"seconds\":%f,\"p50\":%f,\"p99\":%f,\"bad\":%d,\"broken\":%d}\n",
    summary.requests, summary.bytes, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end

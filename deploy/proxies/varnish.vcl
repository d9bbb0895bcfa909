# Varnish in front of the gateway, with its cache for lists: varnishd -a :8088 -f varnish.vcl
vcl 4.1;

backend gateway {
  .host = "127.0.0.1";
  .port = "8080";
}

sub vcl_recv {
  # The gateway believes these if TRUSTED_PROXIES names this machine. They replace what the client sent.
  set req.http.X-Forwarded-For = client.ip;
  set req.http.X-Forwarded-Host = req.http.Host;
  unset req.http.Cookie;
  # Lists alone are cached. All else passes untouched: a fetch for the cache makes GET of HEAD and drops If-None-Match, and
  # so would count a read of an article that is free.
  if ((req.method == "GET" || req.method == "HEAD")
      && req.url ~ "^/(api/v1/(content|curated|search|objects/catalog)/?|feed\.xml|sitemap\.xml|llms\.txt)(\?|$)") {
    return (hash);
  }
  return (pass);
}

sub vcl_backend_response {
  # No list is shown after its time.
  set beresp.grace = 0s;
}

sub vcl_deliver {
  set resp.http.X-Cache = "MISS";
  if (obj.hits > 0) {
    set resp.http.X-Cache = "HIT";
  }
}

/** The bounds that the HTTP server applies to every request. */
export const httpLimits = {
  /** The size of a request body in bytes. The largest valid body, with every character escaped, has 96 kB. */
  requestBytes: 128 * 1024,
  /** The size of a request target in bytes. */
  targetBytes: 8 * 1024,
  /** The size of a header block in bytes. */
  headerBytes: 16 * 1024,
  /** The number of headers in a request. */
  headers: 1_000,
  /** The number of requests of one connection that may wait while an earlier request is served. */
  waitingRequests: 32,
  /** After this number of requests beyond `waitingRequests`, the connection is destroyed without a response. */
  droppedRequests: 500,
  headersTimeoutMs: 8_000,
  requestTimeoutMs: 10_000,
  /** How long a connection may wait for its next request. */
  keepAliveMs: 65_000,
  /** How long a response may take after the request has arrived (ARCHITECTURE.md#failure). */
  responseMs: 3_000,
  /** How long a client may take to read a response. */
  readResponseMs: 60_000,
  /** How long a stopping gateway waits for the rest of incomplete requests. */
  stopMs: 4_000,
} as const;

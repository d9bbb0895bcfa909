/** The bounds that the HTTP server applies to every request. */
export const httpLimits = {
  /** Bytes of a request body; a legal, fully escaped body is 96 kB. */
  requestBytes: 128 * 1024,
  /** Bytes of a request target. */
  targetBytes: 8 * 1024,
  /** Bytes of a header block. */
  headerBytes: 16 * 1024,
  /** Headers of a request. */
  headers: 1_000,
  /** Requests of one connection that may wait while an earlier one is served. */
  waitingRequests: 32,
  /** How many requests beyond those end the connection at once, without a response. */
  droppedRequests: 500,
  headersTimeoutMs: 8_000,
  requestTimeoutMs: 10_000,
  /** How long a response may take, from the end of the request (ARCHITECTURE.md#failure). */
  responseMs: 3_000,
  /** How long a client may take to read a response that is ready. */
  readResponseMs: 60_000,
  /** How long a stop waits for requests that have not arrived in full. */
  stopMs: 4_000,
} as const;

/** The bounds that the HTTP server keeps for every request, whatever it asks for. */
export const httpLimits = {
  /** Bytes of a request body; a legal, fully escaped body is 96 kB. */
  requestBytes: 128 * 1024,
  /** Bytes of a request target. */
  targetBytes: 8 * 1024,
  /** Bytes of a header block. */
  headerBytes: 16 * 1024,
  /** Headers of a request. */
  headers: 1_000,
  /** Requests of one connection that may wait while the first of them is answered. */
  waitingRequests: 32,
  /** How many more make the connection end at once, without answers. */
  droppedRequests: 500,
  headersTimeoutMs: 8_000,
  requestTimeoutMs: 10_000,
  /** How long an answer may take, from the end of the request (ARCHITECTURE.md#failure). */
  responseMs: 3_000,
  /** How long a client may take to read an answer that is ready. */
  readResponseMs: 60_000,
  /** How long a stop waits for requests under way. */
  stopMs: 4_000,
} as const;

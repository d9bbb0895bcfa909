// What a program needs that only calls services. It loads in a third of the time of the index, which matters to a command line.
export { chunksOf } from './chunks.js';
export { type Config, ConfigError, type Environment, readConfig } from './config/read-config.js';
export { string, target } from './config/variable.js';
export { type Deadline, deadlineIn } from './deadline.js';
export type { ErrorCode } from './errors/catalogue.js';
export { hasCode, KnowledgeError, unlessNotFound } from './errors/knowledge-error.js';
export type { Tls } from './grpc/certificates.js';
export { type CallOptions, connectGrpc, type GrpcClient } from './grpc/connect.js';
export type { Definition } from './grpc/definition.js';
export { fromServiceError, fromStatus } from './grpc/status.js';
export { readPieces } from './grpc/streams.js';
export { isUuid } from './product/bounds.js';
export { isLargeProvider, mailboxOf } from './text/address.js';
export { ownTokenIn } from './text/own-secrets.js';
export { createConcurrencyLimit } from './watch/concurrency-limit.js';

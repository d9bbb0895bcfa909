export { isRole, type Role, roles } from '../product/index.js';
export { type AccessList, accessTable, CallNotAllowedError, protoService } from './access.js';
export type { Certificates, Tls } from './certificates.js';
export { type CallOptions, type ClientMethod, type ConnectOptions, connectGrpc, type GrpcClient } from './connect.js';
export {
  auditAttribution,
  type HandlerContext,
  requireActor,
  requireAttribution,
  requireExplained,
} from './context.js';
export { type Definition, idempotentMethods } from './definition.js';
export type { HealthCheck } from './health.js';
export {
  type Handlers,
  implement,
  type ServerStreamHandler,
  type ServiceImplementation,
} from './implement.js';
export {
  type GrpcServer,
  grpcClientFaults,
  grpcServerConfig,
  grpcServerFaults,
  serveGrpc,
} from './serve.js';
export { fromServiceError, fromStatus, toStatus } from './status.js';
export { eachShown, type RunStreamCall, type StreamCallContext, streamCallsOf, streamExport } from './streams.js';
export { type ClientCallWatch, watchCalls } from './telemetry.js';
export { loadGrpcCertificates, measureExpiry } from './tls.js';

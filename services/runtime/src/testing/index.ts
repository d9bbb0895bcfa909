export { createMetrics } from '../telemetry/prometheus-metrics.js';
export { allPages, collect, telemetryOf } from './calls.js';
export {
  type Certificate,
  type CertificateMount,
  createTestAuthority,
  type MountedCertificates,
  mountCertificates,
  type TestAuthority,
} from './certificates.js';
export { endMailClaims } from './mail-claims.js';
export { freshFolder, ownFolder } from './own-folder.js';
export {
  connectAgain,
  dropDatabases,
  openAll,
  openTestDatabase,
  quietEnvironment,
  type ServiceProcess,
  startServiceProcess,
} from './service-process.js';
export { type ReceivedMail, type SmtpSink, type SmtpSinkOptions, startSmtpSink } from './smtp-sink.js';
export { cpuMs, mostCpu, tooDear } from './worst-markdown.js';

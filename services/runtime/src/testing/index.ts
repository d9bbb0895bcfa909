export { createMetrics } from '../telemetry/prometheus-metrics.js';
export { type CertificateMount, type MountedCertificates, mountCertificates } from './certificate-mount.js';
export { type Certificate, createTestAuthority, type TestAuthority } from './certificates.js';
export { dropDatabases, openTestDatabase } from './database.js';
export { openAll } from './open-all.js';
export { type ServiceProcess, startServiceProcess } from './service-process.js';
export { type ReceivedMail, type SmtpSink, type SmtpSinkOptions, startSmtpSink } from './smtp-sink.js';
export { mostCpu, tooDear } from './worst-markdown.js';

import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { accessTable, protoService } from '@knowledge/runtime/grpc';

/** Who may call what under mutual TLS, by the name in the certificate; the desk may call everything. */
export const access = accessTable(
  protoService(QuotaServiceService, {
    consume: ['gateway', 'identity', 'contributions'],
    settle: ['gateway', 'identity', 'contributions'],
    peek: ['gateway', 'support', 'operator'],
  }),
  protoService(QuotaAdminServiceService, {
    showSubject: ['support', 'operator'],
    resetSubject: ['support', 'operator'],
    watchSubjects: ['support', 'operator', 'analyst'],
  }),
);

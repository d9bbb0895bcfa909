import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { accessTable, protoService } from '@knowledge/runtime/grpc';

/** The methods that each caller may call under mutual TLS. The desk may call everything, so it is not listed. */
export const access = accessTable(
  protoService(QuotaServiceService, {
    consume: ['gateway', 'identity', 'contributions'],
    consumeStream: ['gateway'],
    settle: ['gateway', 'identity', 'contributions'],
    peek: ['gateway', 'support', 'operator'],
  }),
  protoService(QuotaAdminServiceService, {
    showSubject: ['support', 'operator'],
    listLimits: ['support', 'operator', 'editor', 'analyst'],
    // Only administrators set ceilings, and they may call everything.
    setCeiling: [],
    resetSubject: ['support', 'operator'],
    watchSubjects: ['support', 'operator', 'analyst'],
  }),
);

import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { GrpcClient } from '@knowledge/runtime/client';
import type { Session } from '../session.js';

/** The services that know something about a person, for the command line and the web desk. */
export interface PersonServices {
  readonly grants: GrpcClient<typeof GrantAdminServiceService>;
  readonly erasures: GrpcClient<typeof ErasureServiceService>;
  readonly moderation: GrpcClient<typeof ModerationServiceService>;
  readonly quota: GrpcClient<typeof QuotaAdminServiceService>;
  /** What each call carries: a new request id and who acts. */
  readonly call: Session['callContext'];
}

// A person may have a lot of data, so these calls have more time than others.
const limits = { deadlineMs: 30_000 };

export function personServices(session: Pick<Session, 'connect' | 'callContext'>): PersonServices {
  return {
    grants: session.connect('identity', GrantAdminServiceService, limits),
    erasures: session.connect('identity', ErasureServiceService, limits),
    moderation: session.connect('contributions', ModerationServiceService, limits),
    quota: session.connect('quota', QuotaAdminServiceService, limits),
    call: () => session.callContext(),
  };
}

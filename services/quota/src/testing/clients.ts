import {
  type Charge,
  type ConsumeItem,
  type ConsumeRequest,
  type ConsumeResult,
  Policy,
  QuotaServiceService,
  SubjectKind,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { deadlineIn } from '@knowledge/runtime';
import { connectGrpc, fromStatus, type GrpcClient } from '@knowledge/runtime/grpc';

/** Clients for both proto services of quota. */
export interface TestClients {
  readonly quota: GrpcClient<typeof QuotaServiceService>;
  readonly admin: GrpcClient<typeof QuotaAdminServiceService>;
  close(): void;
}

/** Connects clients to a running service. */
export async function connectTestClients(address: string): Promise<TestClients> {
  const quota = connectGrpc(QuotaServiceService, { address, deadlineMs: 10_000 });
  const admin = connectGrpc(QuotaAdminServiceService, { address, deadlineMs: 10_000 });
  await quota.ready(deadlineIn(10_000));
  return {
    quota,
    admin,
    close: () => {
      quota.close();
      admin.close();
    },
  };
}

/** The wire charge for an article that a client id reads. */
export function clientRead(value: string): Charge {
  return { policy: Policy.READ_CLIENT_ID, subject: { kind: SubjectKind.CLIENT_ID, value } };
}

/** The wire charge for the ceiling of an address. */
export function addressCap(value: string): Charge {
  return { policy: Policy.READ_ADDRESS_CAP, subject: { kind: SubjectKind.ADDRESS, value } };
}

/** The wire charge for an article that a mailbox reads. */
export function mailboxRead(value: string): Charge {
  return { policy: Policy.READ_VERIFIED_EMAIL, subject: { kind: SubjectKind.EMAIL, value } };
}

/** A request without a lease, whose units stay counted. */
export function callOf(...items: ConsumeItem[]): ConsumeRequest {
  return { items, lease: undefined, settlesEarlierTurn: false };
}

export function wireItem(id: string, ...charges: Charge[]): ConsumeItem {
  return {
    context: { requestId: `request-${id}`, traceparent: '', timeout: undefined },
    id,
    charges,
    endsAt: undefined,
  };
}

/** Describes an outcome in two words, e.g. `granted 2`, or by its error code, e.g. `validation_error`. */
export function summary({ outcome }: ConsumeResult): string {
  switch (outcome?.$case) {
    case 'granted':
    case 'refused':
      return `${outcome.$case} ${outcome.value.remaining}`;
    case 'error':
      return fromStatus(outcome.value).code;
    case undefined:
      return 'none';
  }
}

import { type Charge, Policy, QuotaServiceService, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { type CallContext, KnowledgeError } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc } from '@knowledge/runtime/grpc';
import { createCharges, type RefusedUnit } from '@knowledge/runtime/quota';

export type MailLimits = ReturnType<typeof connectLimits>;

/** Counts mails for the limits of gateway/PROTOCOL.md#authorization-limits, through the quota service. */
export function connectLimits(options: ConnectOptions) {
  const charges = createCharges(connectGrpc(QuotaServiceService, options));
  return {
    /**
     * Counts one mail against the limits of the mailbox and of the address, or against neither. Without `keep` the quota
     * service gives it back within a minute.
     *
     * @throws KnowledgeError `rate_limited`, or `unavailable` if the quota service does not respond.
     */
    async take(unit: MailUnit, call: CallContext) {
      const refused = await charges.take(unit.id, chargesOf(unit), call);
      if (refused) throw refusal(unit, refused);
    },
    /** Makes the charge permanent. Call it when the mail is stored. */
    keep: ({ id }: Pick<MailUnit, 'id'>) => charges.keep(id),
    close: () => charges.close(),
  };
}

/** The policies that limit one mail, each with its subject. */
export function chargesOf({ kind, email, address, ceilings }: MailUnit): Charge[] {
  const domain = ceilings?.domain;
  const policy = policies[kind];
  const mailbox = { kind: SubjectKind.EMAIL, value: email };
  return [
    // The address is the first charge. So a client at its own limit gets that error, and not the one of a full mailbox.
    ...(address === '' ? [] : [{ policy: policy.address, subject: { kind: SubjectKind.ADDRESS, value: address } }]),
    { policy: policy.hour, subject: mailbox },
    { policy: policy.day, subject: mailbox },
    ...(domain === undefined
      ? []
      : [{ policy: Policy.AUTHORIZE_DOMAIN, subject: { kind: SubjectKind.MAIL_DOMAIN, value: domain } }]),
    ...(ceilings === undefined
      ? []
      : [{ policy: Policy.AUTHORIZE_SERVICE, subject: { kind: SubjectKind.SERVICE, value: 'service' } }]),
  ];
}

const policies = {
  authorization: {
    address: Policy.AUTHORIZE_ADDRESS,
    hour: Policy.AUTHORIZE_MAILBOX,
    day: Policy.AUTHORIZE_MAILBOX_DAY,
  },
  link: { address: Policy.LINK_ADDRESS, hour: Policy.LINK_MAILBOX, day: Policy.LINK_MAILBOX_DAY },
} as const;

const wide = new Map<Policy, string>([
  [Policy.AUTHORIZE_DOMAIN, 'mail domain'],
  [Policy.AUTHORIZE_SERVICE, 'service'],
]);

const what = { authorization: 'authorization mails', link: 'mails with a link' } as const;

function refusal({ kind }: MailUnit, { policy, retryAfterSeconds }: RefusedUnit) {
  const limited = policy === policies[kind].address ? 'address' : (wide.get(policy) ?? 'mailbox');
  const ofDay = policy === policies[kind].day;
  const until = ofDay ? ' today; the next day begins at 00:00 UTC' : '';
  return new KnowledgeError('rate_limited', `Too many ${what[kind]} for this ${limited}${until}.`, {
    retryAfterSeconds,
    metadata: { limited, ...(ofDay && { window: 'day' }) },
  });
}

/** A mail that the limits count. */
interface MailUnit {
  /**
   * The purpose of the mail. Each purpose has separate limits, so requests from strangers never prevent a link to the
   * access page.
   */
  kind: 'authorization' | 'link';
  /** A new UUID. A repeated call with the same UUID is counted once. */
  id: string;
  email: string;
  /** The ceilings of a mail that a stranger causes. The domain is undefined if none holds for it. */
  ceilings?: { domain: string | undefined };
  /** The IP address of the client; empty if unknown. */
  address: string;
}

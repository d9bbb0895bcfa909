import {
  MailDomainEffect,
  type MailDomainServiceService,
  type MailDomainRule as WireRule,
} from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { decodePageToken, encodePageToken, readPageSize } from '@knowledge/runtime';
import { type Handlers, requireExplained } from '@knowledge/runtime/grpc';
import { enumWords } from '@knowledge/runtime/wire';
import type { TransitionLog } from '../store/open-stores.js';
import { checkRule, type MailDomainRule, made, requireDomain } from './domain.js';
import type { MailDomainStore } from './store.js';

const { require: requireEffect, toWire: toWireEffect } = enumWords('effect', MailDomainEffect);

/** The calls of support and moderators, who keep the rules. */
export function mailDomainHandlers({
  mailDomains,
  transitions,
}: {
  mailDomains: MailDomainStore;
  transitions: TransitionLog;
}): Handlers<MailDomainServiceService> {
  return {
    async listMailDomainRules({ pageSize, pageToken }, call) {
      const size = readPageSize(pageSize);
      const [after = ''] = decodePageToken(pageToken, [], ['string']) ?? [];
      const found = await mailDomains.list(after, size + 1, call);
      const rules = found.slice(0, size);
      const last = found.length > size ? rules.at(-1) : undefined;
      return { rules: rules.map(toWireRule), nextPageToken: last ? encodePageToken([], [last.domain]) : '' };
    },

    async putMailDomainRule({ domain, effect, humansADay, reason }, call) {
      const decided = { domain: requireDomain(domain), effect: requireEffect(effect), humansADay };
      checkRule(decided);
      const act = requireExplained(call, reason);
      const rule = { ...decided, ...act };
      // The entry is stored first, so that a failed change is in the log too.
      const entry = { subject: 'mail_domain', id: rule.domain, to: made[rule.effect], ...act } as const;
      await transitions.record(entry, call.signal);
      await mailDomains.put(rule, call);
      return { rule: toWireRule(rule) };
    },

    async removeMailDomainRule({ domain: named, reason }, call) {
      const domain = requireDomain(named);
      const act = requireExplained(call, reason);
      if (!(await mailDomains.has(domain, call))) return {};
      await transitions.record({ subject: 'mail_domain', id: domain, to: 'cleared', ...act }, call.signal);
      await mailDomains.remove(domain, call);
      return {};
    },
  };
}

function toWireRule({ effect, at, ...rest }: MailDomainRule): WireRule {
  return { ...rest, effect: toWireEffect(effect), madeAt: at };
}

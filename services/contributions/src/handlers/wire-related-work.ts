import type { OtherWork as WireOtherWork } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { mailboxOf } from '@knowledge/runtime';
import { beginningLength, type OtherWork, type RelatedWork } from '../store/related-work.js';
import { toWirePurpose, toWireState, toWireType } from './wire-enums.js';

/** Converts what a moderator wants to know beside a contribution of this human. */
export function toWireRelatedWork({ similar, ofHuman, ofAgent }: RelatedWork, email: string) {
  return {
    similar: similar.map(({ document, percent }) => ({
      id: document._id,
      title: document.title ?? '',
      state: toWireState(document.state),
      percent,
      beginning: [...document.body.slice(0, 2 * beginningLength)].slice(0, beginningLength).join(''),
      revision: document.revision,
      sameHuman: email !== '' && mailboxOf(document.email) === mailboxOf(email),
    })),
    ofHuman: ofHuman && toWireOtherWork(ofHuman),
    ofAgent: ofAgent && toWireOtherWork(ofAgent),
  };
}

function toWireOtherWork({ counts, newest }: OtherWork): WireOtherWork {
  return {
    counts: counts.map(({ state, count }) => ({ state: toWireState(state), count })),
    newest: newest.map(({ _id, title, type, purpose, state, reason, submittedAt, beginning, revision }) => ({
      id: _id,
      title: title ?? '',
      type: toWireType(type),
      state: toWireState(state),
      reason,
      submittedAt,
      purpose: toWirePurpose(purpose),
      beginning,
      revision,
    })),
  };
}

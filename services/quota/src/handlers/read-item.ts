import type { Duration } from '@knowledge/proto/google/protobuf/duration';
import type { ConsumeItem as WireItem } from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Deadline, deadlineIn, KnowledgeError } from '@knowledge/runtime';
import type { ConsumeItem } from '../domain/consume-item.js';
import type { Policies } from '../domain/policy.js';
import { isLonger } from '../domain/subject.js';
import { readCharge } from './wire.js';

const maxIdLength = 64;

/** An item of a call; what is wrong with it is its own answer and fails no other item. */
export function readItem(item: WireItem, policies: Policies, deadline: Deadline): ConsumeItem | KnowledgeError {
  try {
    if (item.id === '' || isLonger(item.id, maxIdLength)) {
      throw new KnowledgeError('validation_error', `id must have 1 to ${maxIdLength} characters.`);
    }
    const [first, ...others] = item.charges;
    if (first === undefined || others.length > 2) {
      throw new KnowledgeError('validation_error', 'charges must have one to three elements.');
    }
    const own = readCharge(first, policies);
    const until = endOf(item, deadline);
    const ceilings = others.map((each) => readCharge(each, policies));
    const keys = new Set([own, ...ceilings].map(({ key }) => key));
    if (keys.size <= ceilings.length) throw new KnowledgeError('validation_error', 'charges must differ.');
    return { id: item.id, charges: [own, ...ceilings], deadline: until };
  } catch (error) {
    if (error instanceof KnowledgeError) return error;
    throw error;
  }
}

function endOf({ context, endsAt }: WireItem, deadline: Deadline): Deadline {
  const patience = context?.timeout === undefined ? deadline : deadlineIn(milliseconds(context.timeout));
  return Math.min(deadline, patience, endsAt?.getTime() ?? deadline);
}

function milliseconds({ seconds, nanos }: Duration): number {
  return seconds * 1000 + nanos / 1e6;
}

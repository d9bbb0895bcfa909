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
    const [first, second, ...more] = item.charges;
    if (first === undefined || more.length > 0) {
      throw new KnowledgeError('validation_error', 'charges must have one or two elements.');
    }
    const own = readCharge(first, policies);
    const until = endOf(item, deadline);
    if (second === undefined) return { id: item.id, charges: [own], deadline: until };
    const ceiling = readCharge(second, policies);
    if (ceiling.key === own.key) throw new KnowledgeError('validation_error', 'charges must differ.');
    return { id: item.id, charges: [own, ceiling], deadline: until };
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

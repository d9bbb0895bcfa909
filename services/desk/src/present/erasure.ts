import { type Erasure, ErasureState } from '@knowledge/proto/knowledge/identity/v1/erasures';
import type { Column } from '../print/table.js';
import { readableTime, timestamp } from '../print/time.js';
import { enumWords } from '../words.js';

const states = enumWords(ErasureState);

export type ErasureView = ReturnType<typeof presentErasure>;

export function presentErasure(erasure: Erasure) {
  return {
    id: erasure.id,
    state: states.fromWire(erasure.state),
    email: erasure.email || null,
    with_work: erasure.withWork,
    reason: erasure.reason || null,
    asked_by: erasure.askedBy,
    asked_at: timestamp(erasure.askedAt),
    lapses_at: timestamp(erasure.lapsesAt),
    decided_by: erasure.decidedBy || null,
    decided_at: timestamp(erasure.decidedAt),
  };
}

export const erasureColumns: readonly Column<ErasureView>[] = [
  { header: 'id', value: 'id', isId: true },
  { header: 'state', value: 'state', isState: true },
  { header: 'asked by', value: 'asked_by', flexible: true },
  { header: 'asked, UTC', value: (each) => readableTime(each.asked_at), dropPriority: 2 },
  { header: 'lapses', value: (each) => (each.state === 'waiting' ? readableTime(each.lapses_at) : '-') },
  { header: 'decided by', value: (each) => each.decided_by ?? '-', flexible: true, dropPriority: 1 },
  { header: 'work', value: (each) => (each.with_work ? 'too' : 'stays'), dropPriority: 3 },
  { header: 'e-mail', value: (each) => each.email ?? '-', neverCut: true },
];

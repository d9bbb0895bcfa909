import type { Deadline } from '@knowledge/runtime';
import type { Charge } from '../domain/charge.js';
import { type Counter, counterIn, isUsedUp, positionOf, withGrant } from '../domain/counter.js';
import type { Tally } from './new-subjects.js';

/** An item that is not decided yet. */
export interface OpenItem {
  readonly place: number;
  readonly id: string;
  readonly charge: Charge;
  /** The window of the item by our clock. */
  readonly window: number;
  readonly deadline: Deadline;
}

/** The items of one subject in their order. */
export class Subject {
  readonly charge: Charge;
  readonly items: OpenItem[] = [];

  constructor(item: OpenItem) {
    this.charge = item.charge;
    this.items.push(item);
  }

  /** The earliest deadline of the items. */
  get deadline(): Deadline {
    return Math.min(...this.items.map(({ deadline }) => deadline));
  }

  /** The first counter of a new subject, with the grants of all items that it has room for. */
  first(): Counter {
    const [{ window }] = this.items as [OpenItem];
    let counter = counterIn(window, undefined);
    for (const { id, charge } of this.items) {
      if (positionOf(counter, id) !== undefined || isUsedUp(counter, charge.policy)) continue;
      counter = withGrant(counter, charge.policy, id);
    }
    return counter;
  }

  /** The extension of a counter with this tally. Undefined if the window differs or there is not room for all. */
  extending(tally: Tally): Extension | undefined {
    const ids = [...new Set(this.items.map(({ id }) => id))];
    const fits = this.items.every(
      ({ window, charge }) => window === tally.window && tally.count + ids.length <= charge.policy.limit,
    );
    return fits ? { subject: this, tally, ids } : undefined;
  }
}

/** New ids for a counter of a known size. */
export interface Extension {
  readonly subject: Subject;
  readonly tally: Tally;
  readonly ids: readonly string[];
}

/** Sorts items by subject. */
export function subjectsOf(items: readonly OpenItem[]): Iterable<Subject> {
  const subjects = new Map<string, Subject>();
  for (const item of items) {
    const subject = subjects.get(item.charge.key);
    if (subject === undefined) subjects.set(item.charge.key, new Subject(item));
    else subject.items.push(item);
  }
  return subjects.values();
}

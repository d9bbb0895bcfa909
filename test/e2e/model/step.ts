import type { AsyncCommand } from 'fast-check';
import fc from 'fast-check';
import type { System } from '../../harness/system.js';
import type { Model } from './model.js';

/** One action of a human, agent or moderator. It changes the model and the system, and checks that both agree. */
export type Step = AsyncCommand<Model, System>;

/** The definition of a kind of step. */
export interface StepOptions<Args> {
  args: { [Name in keyof Args]: fc.Arbitrary<Args[Name]> };
  /** Whether the step is possible in this state. Otherwise it is skipped. */
  possible?: (model: Readonly<Model>) => boolean;
  run: (model: Model, system: System, args: Args) => Promise<void>;
}

/** Makes steps of one kind with random arguments. */
export function steps<Args>(name: string, { args, possible, run }: StepOptions<Args>): fc.Arbitrary<Step> {
  return fc.record(args).map((given) => ({
    check: (model) => possible?.(model) ?? true,
    run: (model, system) => run(model, system, given as Args),
    toString: () => `${name}(${JSON.stringify(given)})`,
  }));
}

/** An index into a list whose length is known only when the step runs. */
export const which = (): fc.Arbitrary<number> => fc.nat(99);

/** Picks one element of a list that is not empty. */
export function pick<T>(list: readonly T[], at: number): T {
  return list[at % list.length] as T;
}

export const gateway = (): fc.Arbitrary<number> => fc.nat(1);

export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

/** A promise that is settled from outside. If it is rejected and nobody waits for it, the process goes on. */
export function deferred(): Deferred {
  let settle: Pick<Deferred, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return { promise, ...settle };
}

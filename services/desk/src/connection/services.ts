export const serviceNames = ['content', 'quota', 'identity', 'contributions'] as const;

export type ServiceName = (typeof serviceNames)[number];

export type PerService<T> = Readonly<Record<ServiceName, T>>;

export function perService<T>(make: (name: ServiceName) => T): PerService<T> {
  return Object.fromEntries(serviceNames.map((name) => [name, make(name)])) as PerService<T>;
}

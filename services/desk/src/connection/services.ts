/** The services that the desk speaks to. */
export const serviceNames = ['content', 'quota', 'identity', 'contributions'] as const;

/** One of them. */
export type ServiceName = (typeof serviceNames)[number];

/** Something for each service. */
export type PerService<T> = Readonly<Record<ServiceName, T>>;

/** Makes something for each service. */
export function perService<T>(make: (name: ServiceName) => T): PerService<T> {
  return Object.fromEntries(serviceNames.map((name) => [name, make(name)])) as PerService<T>;
}

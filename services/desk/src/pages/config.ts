import {
  address,
  type Config,
  choice,
  type Environment,
  httpServiceVariables,
  isLocalUrl,
  readConfig,
  string,
  url,
} from '@knowledge/runtime';
import { grpcClientFaults, isRole, type Role, roles } from '@knowledge/runtime/grpc';
import { telemetryVariables } from '@knowledge/runtime/telemetry';

const specification = {
  ...httpServiceVariables(500, 200),
  ...telemetryVariables,
  DESK_ADDRESS: address({ default: '127.0.0.1:8085', description: 'where the web desk listens' }),
  DESK_PUBLIC_URL: url({ default: 'http://localhost:8085', description: 'where browsers reach it' }),
  OIDC_ISSUER: url({ optional: true, description: 'the OpenID provider of the staff' }),
  OIDC_CLIENT_ID: string({ optional: true, max: 512 }),
  OIDC_CLIENT_SECRET: string({ optional: true, secret: true, max: 4096 }),
  OIDC_ROLES_CLAIM: string({ default: 'groups', max: 512, description: 'the claim with the groups of a person' }),
  OIDC_ROLES: string({ optional: true, description: 'group=role, separated by semicolons' }),
  SIGN_IN_CODES: choice(['allow'], { optional: true, description: 'sign in by a code, for a local start' }),
};

export type DeskConfig = Config<typeof specification>;

/** Reads the settings of the web desk; throws a ConfigError that names every fault. */
export function readDeskConfig(env: Environment): DeskConfig {
  return readConfig(env, specification, (config) => [
    ...grpcClientFaults(config),
    ...publicUrlFaults(config),
    ...providerFaults(config),
    ...groupRolesFaults(config.OIDC_ROLES),
  ]);
}

/** Whether browsers reach the web desk through TLS. Then its cookies are kept from every other site of the host. */
export function isSecure({ DESK_PUBLIC_URL }: Pick<DeskConfig, 'DESK_PUBLIC_URL'>): boolean {
  return DESK_PUBLIC_URL.startsWith('https:');
}

function publicUrlFaults({ DESK_PUBLIC_URL: value, SIGN_IN_CODES }: DeskConfig) {
  const { pathname, search, hash, username } = new URL(value);
  const faults: string[] = [];
  if (pathname !== '/' || search || hash || username) {
    faults.push('DESK_PUBLIC_URL has more than scheme, host and port; expected a URL like https://desk.example.org');
  }
  if (!value.startsWith('https:') && !isLocalUrl(value)) {
    faults.push('DESK_PUBLIC_URL is http beyond loopback; expected https, since staff sign in there');
  }
  if (SIGN_IN_CODES !== undefined && !isLocalUrl(value)) {
    faults.push('SIGN_IN_CODES is for a local start only; expected a DESK_PUBLIC_URL on loopback with it');
  }
  return faults;
}

function providerFaults(config: DeskConfig) {
  const { OIDC_ISSUER: issuer, DESK_PUBLIC_URL } = config;
  if (issuer === undefined) {
    return config.SIGN_IN_CODES === undefined ? ['OIDC_ISSUER is missing; without it nobody could sign in'] : [];
  }
  const missing = (['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'] as const).filter(
    (name) => config[name] === undefined,
  );
  const faults = missing.map((name) => `${name} is missing; OIDC_ISSUER needs it`);
  if (!issuer.startsWith('https:') && !isLocalUrl(issuer) && !isLocalUrl(DESK_PUBLIC_URL)) {
    faults.push('OIDC_ISSUER is http; expected https, since it says who somebody is');
  }
  return faults;
}

/**
 * Reads `OIDC_ROLES`: `cks-moderators=moderator;cks-admins=administrator`. A group may be named twice, for two roles.
 */
export function readGroupRoles(value = ''): ReadonlyMap<string, readonly Role[]> {
  const found = new Map<string, Role[]>();
  for (const [group = '', role = ''] of entriesOf(value)) {
    if (isRole(role)) found.set(group, [...(found.get(group) ?? []), role]);
  }
  return found;
}

/** The roles of a person by the claim that names their groups, in the order of all roles. */
export function rolesOfGroups(claim: unknown, groupRoles: ReadonlyMap<string, readonly Role[]>): Role[] {
  const groups = Array.isArray(claim) ? claim : [claim];
  const own = groups.flatMap((group) => (typeof group === 'string' ? (groupRoles.get(group) ?? []) : []));
  return roles.filter((role) => own.includes(role));
}

/** Faults of `OIDC_ROLES`. `readConfig` calls it as a check. */
export function groupRolesFaults(value = ''): string[] {
  return entriesOf(value)
    .filter(([group, role = '']) => !group || !isRole(role) || otherSeparator.test(group))
    .map(
      (entry) =>
        `OIDC_ROLES has ${JSON.stringify(entry.join('='))}; expected group=role;group=role with ${roles.join(', ')}`,
    );
}

// `a=moderator,b=editor` is no name of a group that has the role editor; `cn=moderator,ou=staff` is one.
const otherSeparator = new RegExp(`=(?:${roles.join('|')})[\\s,]+[^=]*$`);

// The role stands after the last sign, since names of groups may contain one (`cn=staff,dc=example=editor`).
function entriesOf(value: string) {
  return value
    .split(';')
    .map((each) => each.trim())
    .filter((each, at) => each !== '' || (at === 0 && value !== ''))
    .map((each) => {
      const at = each.lastIndexOf('=');
      return at < 0 ? [each] : [each.slice(0, at).trim(), each.slice(at + 1).trim()];
    });
}

import { ConfigError } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { groupRolesFaults, readDeskConfig, readGroupRoles, rolesOfGroups } from './config.js';

const provider = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'desk',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ROLES: 'cks-admins=administrator',
};
const open = { DESK_PUBLIC_URL: 'https://desk.example' };

it.each([
  [{ ...provider, ...open }],
  [provider],
  [{ SIGN_IN_CODES: 'allow' }],
  [{ ...provider, OIDC_ISSUER: 'http://oidc-provider:8090' }],
  [{ ...provider, TRUSTED_PROXIES: '10.0.0.0/8, ::1' }],
])('%j is a whole configuration', (env) => {
  expect(() => readDeskConfig(env)).not.toThrow();
});

it.each([
  [{}, 'OIDC_ISSUER is missing'],
  [{ ...provider, OIDC_CLIENT_SECRET: undefined }, 'OIDC_CLIENT_SECRET is missing'],
  [{ ...provider, OIDC_ROLES: undefined }, 'OIDC_ROLES is missing'],
  ...['10.0.0.0/99', '0.0.0.0/0', '::/0', '::1,128.0.0.0/1', '2000::/3'].map(
    (wide): [Record<string, string>, string] => [
      { ...provider, TRUSTED_PROXIES: wide },
      `TRUSTED_PROXIES is "${wide}"; expected addresses or CIDR blocks no wider than /8`,
    ],
  ),
  [{ ...provider, OIDC_ROLES: 'a=boss' }, 'OIDC_ROLES has'],
  [{ ...provider, ...open, OIDC_ISSUER: 'http://login.example' }, 'OIDC_ISSUER is http'],
  [{ ...provider, ...open, SIGN_IN_CODES: 'allow' }, 'SIGN_IN_CODES is for a local start only'],
  [{ ...provider, DESK_PUBLIC_URL: 'http://desk.example' }, 'DESK_PUBLIC_URL is http beyond loopback'],
  [{ ...provider, DESK_PUBLIC_URL: 'https://desk.example/desk' }, 'DESK_PUBLIC_URL has more than'],
])('%j is a wrong one', (env, fault) => {
  expect(() => readDeskConfig(env)).toThrow(ConfigError);
  expect(() => readDeskConfig(env)).toThrow(fault);
});

const groups = readGroupRoles(' cks-moderators=moderator; cn=staff,dc=example=editor;cks-moderators=support;');

it.each<[unknown, string[]]>([
  [['cks-moderators'], ['support', 'moderator']],
  ['cn=staff,dc=example', ['editor']],
  [
    ['cks-moderators', 'cn=staff,dc=example', 'other'],
    ['support', 'moderator', 'editor'],
  ],
  [['administrator', 'moderator'], []],
  [[{ name: 'cks-moderators' }], []],
  [undefined, []],
])('the groups %j give the roles %j', (claim, roles) => {
  expect(rolesOfGroups(claim, groups)).toEqual(roles);
});

it.each([
  ...['cks-moderators', 'cks-moderators=boss', '=moderator', 'a=reader;b=', ' ; '],
  ...['a=moderator,b=administrator', 'a=moderator, b=editor,c=administrator', 'a=moderator b=administrator'],
])('%s is a wrong setting', (value) => {
  expect(groupRolesFaults(value)).toEqual([
    expect.stringMatching(/^OIDC_ROLES has .*; expected group=role;group=role with reader/),
  ]);
});

it.each([undefined, '', 'cn=moderator,ou=staff=moderator;', 'our moderators=moderator'])(
  '%s is a right one',
  (value) => {
    expect(groupRolesFaults(value)).toEqual([]);
  },
);

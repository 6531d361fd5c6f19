/** Properties of a response: its status and, if the status is ambiguous, a part of its text or all of it. Case is ignored. */
export interface ResponsePattern {
  status: number;
  includes?: string;
  equals?: string;
}

export interface UsernamePlatform {
  id: string;
  /** Page of the profile; `{u}` stands for the username, here and below. */
  profileUrl: string;
  /** URL that is requested. Default: `profileUrl`. */
  checkUrl?: string;
  foundPattern: ResponsePattern;
  notFoundPattern: ResponsePattern;
}

/**
 * The platforms at which usernames are looked up, with the patterns for an existing and a missing profile; a response that matches
 * neither is unknown. An API is preferred to a page.
 */
export const USERNAME_PLATFORMS: readonly UsernamePlatform[] = [
  {
    id: 'github',
    profileUrl: 'https://github.com/{u}',
    checkUrl: 'https://api.github.com/users/{u}',
    foundPattern: { status: 200, includes: '"login":' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'gitlab',
    profileUrl: 'https://gitlab.com/{u}',
    checkUrl: 'https://gitlab.com/api/v4/users?username={u}',
    foundPattern: { status: 200, includes: '"username":"{u}"' },
    notFoundPattern: { status: 200, equals: '[]' },
  },
  {
    id: 'bitbucket',
    profileUrl: 'https://bitbucket.org/{u}/',
    checkUrl: 'https://api.bitbucket.org/2.0/workspaces/{u}',
    foundPattern: { status: 200, includes: '"slug"' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'npm',
    profileUrl: 'https://www.npmjs.com/~{u}',
    foundPattern: { status: 200, includes: '~{u}' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'pypi',
    profileUrl: 'https://pypi.org/user/{u}/',
    foundPattern: { status: 200, includes: 'profile of {u}' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'dockerhub',
    profileUrl: 'https://hub.docker.com/u/{u}',
    checkUrl: 'https://hub.docker.com/v2/users/{u}/',
    foundPattern: { status: 200, includes: '"username"' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'reddit',
    profileUrl: 'https://www.reddit.com/user/{u}/',
    checkUrl: 'https://www.reddit.com/user/{u}/about.json',
    foundPattern: { status: 200, includes: '"kind"' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'x',
    profileUrl: 'https://x.com/{u}',
    checkUrl: 'https://publish.x.com/oembed?url=https://x.com/{u}',
    foundPattern: { status: 200, includes: '"html"' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'instagram',
    profileUrl: 'https://www.instagram.com/{u}/',
    foundPattern: { status: 200, includes: '(&#064;{u})' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'tiktok',
    profileUrl: 'https://www.tiktok.com/@{u}',
    checkUrl: 'https://www.tiktok.com/oembed?url=https://www.tiktok.com/@{u}',
    foundPattern: { status: 200, includes: '"author_url"' },
    notFoundPattern: { status: 400, includes: 'something went wrong' },
  },
  {
    id: 'youtube',
    profileUrl: 'https://www.youtube.com/@{u}',
    foundPattern: { status: 200, includes: '/@{u}' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'twitch',
    profileUrl: 'https://www.twitch.tv/{u}',
    foundPattern: { status: 200, includes: 'content="{u} - twitch"' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'medium',
    profileUrl: 'https://medium.com/@{u}',
    checkUrl: 'https://medium.com/feed/@{u}',
    foundPattern: { status: 200, includes: '<rss' },
    notFoundPattern: { status: 404 },
  },
  {
    id: 'steam',
    profileUrl: 'https://steamcommunity.com/id/{u}',
    checkUrl: 'https://steamcommunity.com/id/{u}/?xml=1',
    foundPattern: { status: 200, includes: '<steamid64>' },
    notFoundPattern: { status: 200, includes: 'the specified profile could not be found' },
  },
  {
    id: 'keybase',
    profileUrl: 'https://keybase.io/{u}',
    checkUrl: 'https://keybase.io/_/api/1.0/user/lookup.json?usernames={u}&fields=basics',
    foundPattern: { status: 200, includes: '"username":"{u}"' },
    notFoundPattern: { status: 200, includes: '"them":[null]' },
  },
  {
    id: 'hackerone',
    profileUrl: 'https://hackerone.com/{u}',
    foundPattern: { status: 200, includes: 'hackerone.com/{u}' },
    notFoundPattern: { status: 404 },
  },
];

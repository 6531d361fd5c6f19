/** How an answer looks: its status and, where that alone does not tell, a text in it, or all of it. Texts compare without case. */
export interface Look {
  status: number;
  text?: string;
  all?: string;
}

export interface Platform {
  id: string;
  /** Where people see the profile; `{u}` is the username, here and below. */
  profile: string;
  /** What is asked, where that is another address. */
  asked?: string;
  found: Look;
  notFound: Look;
}

/**
 * Where usernames are looked up, and how having one and not having one look. APIs before pages: those tell by what they are.
 * Whatever looks like neither is unknown.
 */
export const PLATFORMS: readonly Platform[] = [
  {
    id: 'github',
    profile: 'https://github.com/{u}',
    asked: 'https://api.github.com/users/{u}',
    found: { status: 200, text: '"login":' },
    notFound: { status: 404 },
  },
  {
    id: 'gitlab',
    profile: 'https://gitlab.com/{u}',
    asked: 'https://gitlab.com/api/v4/users?username={u}',
    found: { status: 200, text: '"username":"{u}"' },
    notFound: { status: 200, all: '[]' },
  },
  {
    id: 'bitbucket',
    profile: 'https://bitbucket.org/{u}/',
    asked: 'https://api.bitbucket.org/2.0/workspaces/{u}',
    found: { status: 200, text: '"slug"' },
    notFound: { status: 404 },
  },
  {
    id: 'npm',
    profile: 'https://www.npmjs.com/~{u}',
    asked: 'https://registry.npmjs.org/-/user/org.couchdb.user:{u}',
    found: { status: 200, text: '"name"' },
    notFound: { status: 404 },
  },
  {
    id: 'pypi',
    profile: 'https://pypi.org/user/{u}/',
    found: { status: 200, text: 'profile of {u}' },
    notFound: { status: 404 },
  },
  {
    id: 'dockerhub',
    profile: 'https://hub.docker.com/u/{u}',
    asked: 'https://hub.docker.com/v2/users/{u}/',
    found: { status: 200, text: '"username"' },
    notFound: { status: 404 },
  },
  {
    id: 'reddit',
    profile: 'https://www.reddit.com/user/{u}/',
    asked: 'https://www.reddit.com/user/{u}/about.json',
    found: { status: 200, text: '"kind"' },
    notFound: { status: 404 },
  },
  {
    id: 'x',
    profile: 'https://x.com/{u}',
    asked: 'https://publish.x.com/oembed?url=https://x.com/{u}',
    found: { status: 200, text: '"html"' },
    notFound: { status: 404 },
  },
  {
    id: 'instagram',
    profile: 'https://www.instagram.com/{u}/',
    found: { status: 200, text: '(&#064;{u})' },
    notFound: { status: 404 },
  },
  {
    id: 'tiktok',
    profile: 'https://www.tiktok.com/@{u}',
    asked: 'https://www.tiktok.com/oembed?url=https://www.tiktok.com/@{u}',
    found: { status: 200, text: '"author_url"' },
    notFound: { status: 400, text: 'something went wrong' },
  },
  {
    id: 'youtube',
    profile: 'https://www.youtube.com/@{u}',
    found: { status: 200, text: '/@{u}' },
    notFound: { status: 404 },
  },
  {
    id: 'twitch',
    profile: 'https://www.twitch.tv/{u}',
    found: { status: 200, text: 'content="{u} - twitch"' },
    notFound: { status: 404 },
  },
  {
    id: 'medium',
    profile: 'https://medium.com/@{u}',
    asked: 'https://medium.com/feed/@{u}',
    found: { status: 200, text: '<rss' },
    notFound: { status: 404 },
  },
  {
    id: 'steam',
    profile: 'https://steamcommunity.com/id/{u}',
    asked: 'https://steamcommunity.com/id/{u}/?xml=1',
    found: { status: 200, text: '<steamid64>' },
    notFound: { status: 200, text: 'the specified profile could not be found' },
  },
  {
    id: 'keybase',
    profile: 'https://keybase.io/{u}',
    asked: 'https://keybase.io/_/api/1.0/user/lookup.json?usernames={u}&fields=basics',
    found: { status: 200, text: '"username":"{u}"' },
    notFound: { status: 200, text: '"them":[null]' },
  },
  {
    id: 'hackerone',
    profile: 'https://hackerone.com/{u}',
    found: { status: 200, text: 'hackerone.com/{u}' },
    notFound: { status: 404 },
  },
];

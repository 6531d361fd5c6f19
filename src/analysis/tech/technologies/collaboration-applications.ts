import {
  cookie,
  credit,
  defineTechnologies,
  generator,
  hasHeader,
  header,
  mark,
  meta,
  path,
  server,
  title,
  word,
} from '../define-technologies.ts';

/** Applications that people run on their own servers: what stands behind a log-in page. */
export const COLLABORATION_APPLICATION_TECHNOLOGIES = [
  ...defineTechnologies('collaboration', {
    Nextcloud: [
      { cpe: 'nextcloud:nextcloud_server', implies: ['PHP'] },
      cookie('__Host-nc_sameSiteCookielax', '__Host-nc_sameSiteCookiestrict', 'nc_sameSiteCookielax', 'nc_session_id'),
      title('(?:^|[-–] )Nextcloud$', 'Login – Nextcloud', 'Next'),
      credit('nextcloud', 'powered by Nextcloud', 'powered by next'),
    ],
    ownCloud: [{ cpe: 'owncloud:owncloud', implies: ['PHP'] }, title('^ownCloud$', 'ownCloud', 'Cloud')],
    Seafile: [
      { cpe: 'seafile:seafile', implies: ['Python'] },
      cookie('sfcsrftoken', 'seahub_auth'),
      credit('powered by seafile', 'Powered by Seafile', 'Powered by sea'),
    ],
    Odoo: [
      { cpe: 'odoo:odoo', implies: ['Python'] },
      generator('^Odoo$', 'Odoo', 'Odd'),
      path(
        '/web/(?:assets|content)/[^ ]{0,60}web\\.assets_',
        '/web/assets/1-4f2a9c1/1/web.assets_frontend.min.css',
        '/web/assets/a.css',
      ),
      mark('.oe_website_login_container', '[data-oe-company-name]'),
    ],
    ERPNext: [{ cpe: 'frappe:erpnext', implies: ['Frappe'] }, meta('application-name', '^ERPNext$', 'ERPNext', 'ERP')],
    Dolibarr: [
      { cpe: 'dolibarr:dolibarr', implies: ['PHP'] },
      cookie('DOLSESSID_*'),
      credit('dolibarr {v}', 'powered by Dolibarr 18.0.3', 'powered by dollars'),
    ],
    SuiteCRM: [{ cpe: 'salesagility:suitecrm', implies: ['PHP'] }, title('^SuiteCRM$', 'SuiteCRM', 'Suite')],
    EspoCRM: [{ cpe: 'espocrm:espocrm', implies: ['PHP'] }, title('^EspoCRM$', 'EspoCRM', 'Espo')],
    vtiger: [
      { cpe: 'vtiger:vtiger_crm', implies: ['PHP'] },
      title('^Vtiger$', 'Vtiger', 'Tiger'),
      credit('powered by vtiger crm(?: [-–] {v})?', 'Powered by vtiger CRM - 7.5.0', 'Powered by tigers'),
    ],
    Mattermost: [
      { cpe: 'mattermost:mattermost_server', implies: ['React', 'Go'] },
      title('^Mattermost$', 'Mattermost', 'Matter'),
      meta('apple-mobile-web-app-title', '^Mattermost$', 'Mattermost', 'Matter'),
    ],
    'Rocket.Chat': [
      { cpe: 'rocket.chat:rocket.chat', implies: ['Meteor'] },
      meta('application-name', '^Rocket\\.Chat', 'Rocket.Chat', 'Rocket'),
    ],
    'Jitsi Meet': [{ cpe: 'jitsi:meet' }, title('^Jitsi Meet$', 'Jitsi Meet', 'Meet'), word('JitsiMeetJS')],
    BigBlueButton: [
      { cpe: 'bigbluebutton:bigbluebutton' },
      title('^(?:BigBlueButton|Greenlight)', 'BigBlueButton - Open Source Web Conferencing', 'Button'),
    ],
    Etherpad: [
      { cpe: 'etherpad:etherpad', implies: ['Node.js'] },
      server('^Etherpad {v}?', 'Etherpad 1a2b3c (https://etherpad.org)', 'Pad'),
      title('^Etherpad$', 'Etherpad', 'Pad'),
    ],
    'Collabora Online': [title('^Online Editor$', 'Online Editor', 'Editor')],
    ONLYOFFICE: [{ cpe: 'onlyoffice:document_server' }, title('ONLYOFFICE', 'ONLYOFFICE Docs', 'OFFICE')],
    Outline: [title('^Outline$', 'Outline', 'Outlines')],
    HedgeDoc: [
      { cpe: 'hedgedoc:hedgedoc', implies: ['Node.js'] },
      title('^HedgeDoc - ', 'HedgeDoc - Ideas grow better together', 'Hedge'),
    ],
    'Home Assistant': [
      { cpe: 'home-assistant:home-assistant', implies: ['Python'] },
      title('^Home Assistant$', 'Home Assistant', 'Home'),
      mark('<home-assistant>', '<ha-authorize>'),
    ],
    openHAB: [{ cpe: 'openhab:openhab', implies: ['Java'] }, title('^openHAB$', 'openHAB', 'HAB')],
    Vaultwarden: [{ implies: ['Rust'] }, title('^Vaultwarden Web(?: Vault)?$', 'Vaultwarden Web Vault', 'Vault')],
    Bitwarden: [title('^Bitwarden Web [Vv]ault$', 'Bitwarden Web vault', 'Bit')],
    Passbolt: [
      { cpe: 'passbolt:passbolt_api', implies: ['PHP'] },
      title('^Passbolt', 'Passbolt | Open source password manager for teams', 'Bolt'),
      cookie('passbolt_session'),
    ],
    Chamilo: [
      { cpe: 'chamilo:chamilo', implies: ['PHP'] },
      generator('^Chamilo {v}', 'Chamilo 1', 'Cha'),
      header('x-powered-by', '^Chamilo {v}', 'Chamilo 1', 'Cha'),
    ],
    ILIAS: [
      { cpe: 'ilias:ilias', implies: ['PHP'] },
      cookie('ilClientId'),
      credit('powered by ilias(?: \\(v?{v})?', 'powered by ILIAS (v8.9 2024-03-01)', 'powered by Ilia'),
    ],
    'Open edX': [
      { cpe: 'edx:open_edx_platform', implies: ['Python'] },
      cookie('openedx-language-preference'),
      credit('powered by open edx', 'Powered by Open edX', 'Powered by ed'),
    ],
  }),
  ...defineTechnologies('webmail', {
    Roundcube: [
      { cpe: 'roundcube:webmail', implies: ['PHP'] },
      cookie('roundcube_sessid', 'roundcube_sessauth'),
      word('rcube_webmail', 'rcmail'),
      title('^Roundcube Webmail|:: Roundcube', 'Roundcube Webmail :: Welcome to Roundcube Webmail', 'Webmail'),
      path('/skins/(?:elastic|larry|classic)/', '/skins/elastic/styles/styles.min.css', '/skins/a.css'),
    ],
    'Outlook Web App': [
      { cpe: 'microsoft:exchange_server', implies: ['ASP.NET', 'Microsoft IIS'] },
      header('x-owa-version', '^{v}', '15.2.1258.28', '-'),
      path(
        '/owa/(?:auth/)?{v}/(?:themes|scripts)/',
        '/owa/auth/15.2.1258/themes/resources/favicon.ico',
        '/owa/auth/themes/a.css',
      ),
      hasHeader('x-feserver'),
      title('^Outlook(?: Web App)?$', 'Outlook', 'Outlooks'),
      cookie('OutlookSession'),
    ],
    'Zimbra Webmail': [
      { cpe: 'synacor:zimbra_collaboration_suite', implies: ['Java'] },
      cookie('ZM_TEST', 'ZM_LOGIN_CSRF'),
      title('^Zimbra Web Client', 'Zimbra Web Client Sign In', 'Web Client'),
    ],
    SOGo: [{ cpe: 'inverse-inc:sogo' }, title('^SOGo(?: \\| |$)', 'SOGo', 'Sogou')],
    Horde: [
      { cpe: 'horde:groupware', implies: ['PHP'] },
      cookie('Horde', 'horde_secret_key'),
      title('^Horde :: ', 'Horde :: Log in', 'Hord'),
    ],
    RainLoop: [
      { cpe: 'rainloop:webmail', implies: ['PHP'] },
      path('/rainloop/v/{v}/', '/rainloop/v/1.17.0/static/css/app.min.css', '/rain/v/1.css'),
    ],
    SnappyMail: [
      { implies: ['PHP'] },
      path('/snappymail/v/{v}/', '/snappymail/v/2.35.2/static/css/boot.min.css', '/snappy/v/1.css'),
    ],
    SquirrelMail: [
      { cpe: 'squirrelmail:squirrelmail', implies: ['PHP'] },
      cookie('SQMSESSID'),
      title('^SquirrelMail - Login$', 'SquirrelMail - Login', 'Squirrel'),
    ],
    Mailcow: [{ cpe: 'mailcow:mailcow_dockerized', implies: ['PHP'] }, title('^mailcow UI$', 'mailcow UI', 'cow')],
    'Axigen Webmail': [{ cpe: 'axigen:axigen_mobile_webmail' }, server('^Axigen-Webmail', 'Axigen-Webmail', 'Axi')],
    MDaemon: [
      { cpe: 'altn:mdaemon' },
      server('^WDaemon/{v}', 'WDaemon/4.0', 'Daemon'),
      title('^MDaemon (?:Webmail|Remote Administration)', 'MDaemon Webmail', 'Daemon'),
    ],
    'Open-Xchange': [
      { cpe: 'open-xchange:ox_app_suite', implies: ['Java'] },
      cookie('open-xchange-session-*', 'open-xchange-secret-*'),
    ],
  }),
  ...defineTechnologies('social network', {
    Mastodon: [
      { cpe: 'joinmastodon:mastodon', implies: ['Ruby on Rails'] },
      server('^Mastodon$', 'Mastodon', 'Mastodons'),
      cookie('_mastodon_session'),
      meta('application-name', '^Mastodon$', 'Mastodon', 'Masto'),
      generator('^Mastodon(?: v?{v})?', 'Mastodon v4.2.8', 'Masto'),
      mark('#mastodon'),
    ],
    Pleroma: [
      { implies: ['Erlang'] },
      title('^Pleroma$', 'Pleroma', 'Plero'),
      cookie('__Host-pleroma_key', '_pleroma_key'),
    ],
    Misskey: [
      { cpe: 'misskey:misskey', implies: ['Node.js'] },
      meta('application-name', '^Misskey$', 'Misskey', 'Miss'),
      mark('#misskey_app'),
    ],
    Lemmy: [{ implies: ['Rust'] }, title('- Lemmy$', 'Home - Lemmy', 'Lem')],
    PeerTube: [
      { cpe: 'framasoft:peertube', implies: ['Node.js'] },
      header('x-powered-by', '^PeerTube$', 'PeerTube', 'Peer'),
      title('^PeerTube$', 'PeerTube', 'Tube'),
    ],
    Pixelfed: [{ implies: ['PHP', 'Laravel'] }, generator('^pixelfed', 'pixelfed', 'pixel'), cookie('pxfs')],
    Friendica: [
      { cpe: 'friendica:friendica', implies: ['PHP'] },
      generator('^Friendica(?: .{1,30})?', "Friendica 'Yellow Archangel' 2024.03", 'Friend'),
      hasHeader('x-friendica-version'),
    ],
    diaspora: [title('^diaspora\\*', 'diaspora* social network', 'diaspora'), cookie('_diaspora_session')],
    HumHub: [
      { cpe: 'humhub:humhub', implies: ['PHP'] },
      credit('powered by humhub', 'Powered by HumHub', 'Powered by hub'),
    ],
  }),
  ...defineTechnologies('media server', {
    Jellyfin: [
      { cpe: 'jellyfin:jellyfin' },
      title('^Jellyfin$', 'Jellyfin', 'Jelly'),
      meta('application-name', '^Jellyfin$', 'Jellyfin', 'Jelly'),
    ],
    Emby: [
      { cpe: 'emby:emby.releases' },
      title('^Emby$', 'Emby', 'Em'),
      meta('application-name', '^Emby$', 'Emby', 'Em'),
    ],
    Plex: [{ cpe: 'plex:media_server' }, hasHeader('x-plex-protocol'), title('^Plex$', 'Plex', 'Plexi')],
    Kodi: [title('^Kodi$', 'Kodi', 'Kod')],
    Navidrome: [{ implies: ['Go'] }, title('^Navidrome$', 'Navidrome', 'Navi')],
    Sonarr: [title('^Sonarr$', 'Sonarr', 'Sonar')],
    Radarr: [title('^Radarr$', 'Radarr', 'Radar')],
    qBittorrent: [
      { cpe: 'qbittorrent:qbittorrent' },
      title('^qBittorrent (?:WebUI|Web UI)', 'qBittorrent WebUI', 'Bit'),
    ],
    Transmission: [
      { cpe: 'transmissionbt:transmission' },
      server('^Transmission$', 'Transmission', 'Trans'),
      hasHeader('x-transmission-session-id'),
    ],
    Immich: [title('- Immich$|^Immich$', 'Login - Immich', 'Imm')],
    Photoprism: [{ implies: ['Go'] }, title('^PhotoPrism', 'PhotoPrism', 'Prism')],
    Piwigo: [
      { cpe: 'piwigo:piwigo', implies: ['PHP'] },
      generator('^Piwigo', 'Piwigo (aka PWG), see piwigo.org', 'Pig'),
      cookie('pwg_id'),
    ],
    Icecast: [{ cpe: 'icecast:icecast' }, server('^Icecast {v}', 'Icecast 2.4.4', 'Ice')],
    SHOUTcast: [header('icy-notice2', 'SHOUTcast', '<BR>SHOUTcast Distributed Network Audio Server', 'x')],
  }),
];

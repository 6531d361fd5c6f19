import {
  cookie,
  defineTechnologies,
  hasHeader,
  header,
  mark,
  media,
  meta,
  path,
  server,
} from '../define-technologies.ts';

/** Web servers, application servers, languages, operating systems. */
export const SERVER_TECHNOLOGIES = [
  ...defineTechnologies('web server', {
    nginx: [
      { cpe: 'f5:nginx', versionParts: 3 },
      server('^nginx(?:/{v})?(?: |$)', 'nginx/1.25.3', 'nginx-clone/1.0'),
      header('x-served', '^Nginx', 'Nginx-Proxito-Sendfile', 'x'),
    ],
    OpenResty: [
      { cpe: 'openresty:openresty', versionParts: 3 },
      server('^openresty(?:/{v})?', 'openresty/1.21.4.1', 'my-openresty'),
    ],
    Tengine: [server('^Tengine(?:/{v})?', 'Tengine/2.3.3', 'Potengine')],
    angie: [server('^Angie(?:/{v})?(?: |$)', 'Angie/1.5.0', 'Angies List')],
    'Apache HTTP Server': [
      { cpe: 'apache:http_server', versionParts: 3 },
      server('^Apache/{v}', 'Apache/2.4.57 (Debian)', 'Apache-Coyote/1.1'),
      server('^Apache(?: \\(|$)', 'Apache (Ubuntu)', 'Apache Tomcat/9.0.71'),
    ],
    'Microsoft IIS': [
      { cpe: 'microsoft:internet_information_services', implies: ['Windows Server'] },
      server('^Microsoft-IIS(?:/{v})?', 'Microsoft-IIS/10.0', 'Microsoft-HTTPAPI/2.0'),
    ],
    'Microsoft HTTPAPI': [
      { implies: ['Windows Server'] },
      server('^Microsoft-HTTPAPI(?:/{v})?', 'Microsoft-HTTPAPI/2.0', 'Microsoft-IIS/10.0'),
    ],
    LiteSpeed: [
      { cpe: 'litespeedtech:litespeed_web_server' },
      server('^LiteSpeed(?:/{v})?$', 'LiteSpeed', 'LiteSpeedy'),
      hasHeader('x-litespeed-cache', 'x-litespeed-cache-control'),
    ],
    OpenLiteSpeed: [
      { cpe: 'litespeedtech:openlitespeed' },
      server('^OpenLiteSpeed(?:/{v})?', 'OpenLiteSpeed/1.7.16', 'LiteSpeed'),
    ],
    Caddy: [
      { cpe: 'caddyserver:caddy' },
      server('^Caddy(?:/{v})?$', 'Caddy', 'Caddyshack'),
      header('via', '(?:^|, )[\\d.]{1,4} Caddy(?:,|$)', '1.1 Caddy', '1.1 caddy.example.com'),
    ],
    lighttpd: [
      { cpe: 'lighttpd:lighttpd', versionParts: 3 },
      server('^lighttpd(?:/{v})?(?: |$)', 'lighttpd/1.4.59', 'lighttpd-x'),
    ],
    Cherokee: [
      { cpe: 'cherokee-project:cherokee_web_server' },
      server('^Cherokee(?:/{v})?(?: |$)', 'Cherokee/1.2.104 (Debian)', 'CherokeeNation'),
    ],
    H2O: [{ cpe: 'dena:h2o' }, server('^h2o(?:/{v})?$', 'h2o/2.2.6', 'h2o.ai')],
    thttpd: [{ cpe: 'acme:thttpd' }, server('^thttpd(?:/{v})?', 'thttpd/2.29 23May2018', 'sthttpd/2.27')],
    mini_httpd: [
      { cpe: 'acme:mini_httpd' },
      server('^mini_httpd(?:/{v})?', 'mini_httpd/1.30 26Oct2018', 'micro_httpd'),
    ],
    micro_httpd: [server('^micro_httpd', 'micro_httpd', 'mini_httpd/1.30')],
    Boa: [{ cpe: 'boa:boa' }, server('^Boa/{v}', 'Boa/0.94.14rc21', 'Boardwalk/1.0')],
    GoAhead: [{ cpe: 'embedthis:goahead' }, server('^GoAhead(?:-Webs|-http)?(?:/{v})?', 'GoAhead-Webs', 'GoAway/1.0')],
    Mongoose: [{ cpe: 'cesanta:mongoose' }, server('^Mongoose(?:/{v})?$', 'Mongoose/6.18', 'MongooseIM')],
    Yaws: [{ cpe: 'yaws:yaws' }, server('^Yaws/?{v}?', 'Yaws 2.0.8', 'Yawning/1.0')],
    Hiawatha: [{ cpe: 'hiawatha-webserver:hiawatha' }, server('^Hiawatha v?{v}?', 'Hiawatha v11.2', 'Hiawathas')],
    'IBM HTTP Server': [
      { cpe: 'ibm:http_server' },
      server('^IBM_HTTP_Server(?:/{v})?', 'IBM_HTTP_Server/9.0.5', 'IBM_WebSphere'),
    ],
    'Oracle HTTP Server': [
      { cpe: 'oracle:http_server' },
      server('^Oracle-HTTP-Server(?:-{v})?', 'Oracle-HTTP-Server', 'Oracle-Application-Server-10g'),
    ],
    'Zeus Web Server': [server('^Zeus/{v}', 'Zeus/4.3', 'Zeusx')],
    Rocket: [{ implies: ['Rust'] }, server('^Rocket$', 'Rocket', 'RocketChat')],
    Werkzeug: [
      { cpe: 'palletsprojects:werkzeug', implies: ['Python'] },
      server('^Werkzeug/{v}', 'Werkzeug/2.3.7 Python/3.11.4', 'WerkzeugX/2'),
    ],
    Tornado: [
      { cpe: 'tornadoweb:tornado', implies: ['Python'] },
      server('^TornadoServer/{v}', 'TornadoServer/6.3.3', 'Tornado Watch'),
    ],
    Cowboy: [{ implies: ['Erlang'] }, server('^Cowboy$', 'Cowboy', 'CowboyHat')],
    Kestrel: [{ implies: ['ASP.NET Core'] }, server('^Kestrel$', 'Kestrel', 'Kestrels')],
    Envoy: [
      { cpe: 'envoyproxy:envoy' },
      server('^envoy$', 'envoy', 'istio-envoy'),
      hasHeader('x-envoy-upstream-service-time'),
    ],
    Istio: [{ cpe: 'istio:istio', implies: ['Envoy'] }, server('^istio-envoy$', 'istio-envoy', 'envoy')],
    Traefik: [{ cpe: 'traefik:traefik' }, server('^Traefik(?:/{v})?', 'Traefik', 'NotTraefik')],
    Jetty: [
      { cpe: 'eclipse:jetty', implies: ['Java'], versionParts: 3 },
      server('^Jetty\\({v}?', 'Jetty(9.4.51.v20230217)', 'Jetty Cruises'),
    ],
    'Oracle iPlanet': [
      server('^(?:Oracle|Sun)-iPlanet-Web-Server(?:/{v})?', 'Oracle-iPlanet-Web-Server/7.0', 'Oracle-HTTP-Server'),
    ],
    'Lotus Domino': [{ cpe: 'hcltech:domino' }, server('^Lotus-Domino(?:/{v})?', 'Lotus-Domino', 'Domino Pizza')],
    'Allegro RomPager': [{ cpe: 'allegrosoft:rompager' }, server('RomPager/{v}', 'RomPager/4.07 UPnP/1.0', 'Rompager')],
    'Google Web Server': [server('^gws$', 'gws', 'gwsx')],
    'Google Frontend': [server('^(?:Google Frontend|ESF|sffe)$', 'Google Frontend', 'Google Backend')],
    Actix: [{ implies: ['Rust'] }, server('^actix-web(?:/|$)', 'actix-web', 'actix-website')],
    fasthttp: [{ implies: ['Go'] }, server('^fasthttp$', 'fasthttp', 'fasthttpd')],
    'Python http.server': [
      { implies: ['Python'] },
      server('^SimpleHTTP/{v}', 'SimpleHTTP/0.6 Python/3.10.6', 'SimplerHTTP/1'),
    ],
    Cassini: [server('^Cassini/{v}', 'Cassini/4.0.0.0', 'CassiniX')],
  }),
  ...defineTechnologies('application server', {
    'Apache Tomcat': [
      { cpe: 'apache:tomcat', implies: ['Java'], versionParts: 3 },
      server('^Apache-Coyote/', 'Apache-Coyote/1.1', 'Apache/2.4.57'),
      server('^Apache Tomcat(?:/{v})?', 'Apache Tomcat/9.0.71', 'Apache Tomahawk'),
      header('x-powered-by', 'Tomcat[/-]{v}', 'Servlet/3.0; JBossAS; Tomcat/7.0.30', 'Tomcats'),
    ],
    WildFly: [{ cpe: 'redhat:wildfly', implies: ['Java'] }, server('^WildFly(?:/{v}|$)', 'WildFly/10', 'WildFlyers')],
    JBoss: [
      { cpe: 'redhat:jboss_enterprise_application_platform', implies: ['Java'] },
      server('^JBoss-EAP(?:/{v})?', 'JBoss-EAP/7', 'JBossy'),
      header('x-powered-by', 'JBoss(?:AS|-EAP)?(?:[-/]{v})?', 'Servlet 2.5; JBoss-5.0/JBossWeb-2.1', 'JeBoss'),
    ],
    Undertow: [
      { cpe: 'redhat:undertow', implies: ['Java'] },
      header('x-powered-by', '^Undertow(?:/{v}|$)', 'Undertow/1', 'Undertows/x'),
    ],
    GlassFish: [
      { cpe: 'oracle:glassfish_server', implies: ['Java'] },
      server(
        'GlassFish Server(?: Open Source Edition)?\\s{0,3}{v}?',
        'GlassFish Server Open Source Edition  5.0',
        'Glassfisher',
      ),
    ],
    Payara: [
      { cpe: 'payara:payara', implies: ['Java'] },
      server('^Payara(?: Server)?\\s{1,3}{v}?', 'Payara Server  5.2022.2 #badassfish', 'Payarana'),
    ],
    'Oracle WebLogic': [
      { cpe: 'oracle:weblogic_server', implies: ['Java'] },
      server('^WebLogic(?: Server)? {v}?', 'WebLogic Server 10.3', 'WebLogical'),
      hasHeader('x-weblogic-request-clusterinfo'),
    ],
    'IBM WebSphere': [
      { cpe: 'ibm:websphere_application_server', implies: ['Java'] },
      server('^WebSphere Application Server(?:/{v})?', 'WebSphere Application Server/8.5', 'WebSpheres'),
    ],
    Resin: [{ cpe: 'caucho:resin', implies: ['Java'] }, server('^Resin(?:/{v}|$)', 'Resin/4.0.58', 'Resinous')],
    'Oracle Application Server': [
      { cpe: 'oracle:application_server' },
      server(
        '^Oracle-Application-Server-10g(?:/{v})?',
        'Oracle-Application-Server-10g/10.1.2.0.2',
        'Oracle-HTTP-Server',
      ),
    ],
    'Phusion Passenger': [
      { cpe: 'phusion:passenger' },
      server('Phusion Passenger(?:\\(R\\))?[ /]{v}?', 'nginx/1.14.0 + Phusion Passenger 5.3.4', 'Passenger Side'),
      header('x-powered-by', '^Phusion Passenger(?:\\(R\\))?(?:[ /]{v})?', 'Phusion Passenger 6.0.4', 'Passenger'),
    ],
    Gunicorn: [
      { cpe: 'gunicorn:gunicorn', implies: ['Python'] },
      server('^gunicorn(?:/{v})?$', 'gunicorn/19.9.0', 'gunicorns'),
    ],
    Uvicorn: [{ implies: ['Python'] }, server('^uvicorn$', 'uvicorn', 'uvicornia')],
    Hypercorn: [{ implies: ['Python'] }, server('^hypercorn-h[1-3]1?$', 'hypercorn-h11', 'hypercorny')],
    Daphne: [{ implies: ['Python'] }, server('^daphne$', 'daphne', 'Daphne.com')],
    Waitress: [{ cpe: 'agendaless:waitress', implies: ['Python'] }, server('^waitress$', 'waitress', 'waitresses')],
    CherryPy: [
      { cpe: 'cherrypy:cherrypy', implies: ['Python'] },
      server('^CherryPy/{v}', 'CherryPy/18.8.0', 'CherryPie'),
    ],
    mod_wsgi: [
      { cpe: 'modwsgi:mod_wsgi', implies: ['Python'] },
      server('mod_wsgi/{v}', 'Apache/2.4.6 (CentOS) mod_wsgi/3.4 Python/2.7.5', 'mod_wsgix'),
    ],
    Puma: [{ cpe: 'puma:puma', implies: ['Ruby'] }, server('^puma(?: {v})?$', 'puma 5.6.4', 'Pumas')],
    Thin: [{ implies: ['Ruby'] }, server('^thin(?: {v})?(?: codename|$)', 'thin 1.7.2 codename Bachmanity', 'thinly')],
    WEBrick: [
      { cpe: 'ruby-lang:webrick', implies: ['Ruby'] },
      server('^WEBrick/{v}', 'WEBrick/1.4.2 (Ruby/2.6.3/2019-04-16)', 'WEBricks'),
    ],
    Unicorn: [{ implies: ['Ruby'] }, server('^Unicorn(?: {v})?$', 'Unicorn', 'gunicorn/19.9.0')],
    mod_jk: [
      { cpe: 'apache:tomcat_jk_connector' },
      server('mod_jk/{v}', 'Apache/2.2.15 (Unix) mod_jk/1.2.37', 'mod_jka'),
    ],
    mod_fcgid: [{ cpe: 'apache:mod_fcgid' }, server('mod_fcgid/{v}', 'Apache/2.2.22 mod_fcgid/2.3.6', 'mod_fcgidx')],
    FrankenPHP: [
      { implies: ['PHP'] },
      server('^FrankenPHP', 'FrankenPHP Caddy', 'Frankenstein'),
      header('x-powered-by', '^FrankenPHP', 'FrankenPHP', 'Franken'),
    ],
    Zope: [
      { cpe: 'zope:zope', implies: ['Python'] },
      server('^Zope/\\(?(?:Zope )?{v}', 'Zope/(2.13.27, python 2.7.9, linux2) ZServer/1.1', 'Zopeful'),
    ],
  }),
  ...defineTechnologies('load balancer', {
    'F5 BIG-IP': [
      { cpe: 'f5:big-ip_local_traffic_manager' },
      server('^BIG-?IP$', 'BigIP', 'BigIPv6'),
      cookie('BIGipServer*', 'F5_ST'),
      hasHeader('x-wa-info'),
    ],
    'Citrix NetScaler': [
      { cpe: 'citrix:netscaler_application_delivery_controller' },
      cookie('NSC_*'),
      header('via', 'NS-CACHE-{v}', 'NS-CACHE-10.1: 98', 'NSX-CACHE'),
      cookie('citrix_ns_id'),
    ],
    HAProxy: [{ cpe: 'haproxy:haproxy' }, server('^HAProxy(?:/{v})?', 'HAProxy', 'HA-Proxies')],
    'AWS Elastic Load Balancing': [
      { implies: ['Amazon Web Services'] },
      server('^awselb/{v}', 'awselb/2.0', 'awselbow'),
      cookie('AWSALB', 'AWSALBCORS', 'AWSELB'),
    ],
    'Kemp LoadMaster': [{ cpe: 'kemptechnologies:loadmaster' }, cookie('kemp_sticky')],
    'Azure Application Gateway': [
      { implies: ['Microsoft Azure'] },
      server(
        '^Microsoft-Azure-Application-Gateway/v{v}',
        'Microsoft-Azure-Application-Gateway/v2',
        'Microsoft-IIS/10.0',
      ),
      cookie('ApplicationGatewayAffinity', 'ApplicationGatewayAffinityCORS'),
    ],
    Skipper: [server('^Skipper$', 'Skipper', 'Skippers')],
  }),
  ...defineTechnologies('caching', {
    Varnish: [
      { cpe: 'varnish-software:varnish_cache' },
      header('via', '\\bvarnish(?:[ -]v?\\d)?(?: \\(Varnish/{v}\\))?', '1.1 varnish (Varnish/6.0)', '1.1 furnish'),
      hasHeader('x-varnish', 'x-varnish-cache'),
    ],
    Squid: [
      { cpe: 'squid-cache:squid' },
      header('via', '\\(squid/{v}', '1.1 proxy.example.com (squid/4.10)', '1.1 squid.example.com'),
      server('^squid(?:/{v}|$)', 'squid/3.5.20', 'squidly'),
    ],
    'Apache Traffic Server': [
      { cpe: 'apache:traffic_server' },
      server('^ATS(?:/{v})?$', 'ATS/9.1.4', 'ATSX'),
      header(
        'via',
        '\\(ApacheTrafficServer(?:/{v})?',
        'http/1.1 edge (ApacheTrafficServer/9.2.1 [cMsSf ])',
        'ApacheTraffic',
      ),
    ],
    'Google PageSpeed': [
      { cpe: 'google:mod_pagespeed' },
      hasHeader('x-mod-pagespeed', 'x-page-speed'),
      path('\\.pagespeed\\.[a-z]{2}\\.', '/js/app.js.pagespeed.jm.Xq3.js', '/js/pagespeed.js'),
    ],
    'Nginx FastCGI cache': [hasHeader('x-fastcgi-cache')],
    Batcache: [{ implies: ['WordPress'] }, hasHeader('x-batcache')],
    'Symfony HTTP cache': [{ implies: ['Symfony'] }, hasHeader('x-symfony-cache')],
  }),
  ...defineTechnologies('language', {
    PHP: [
      { cpe: 'php:php', versionParts: 3 },
      header('x-powered-by', '^PHP(?:/{v}|$)', 'PHP/8.1.12', 'PHPX/1'),
      server('\\bPHP/{v}', 'Apache/2.4.25 (Win32) PHP/5.6.30', 'GPHP/1'),
      cookie('PHPSESSID'),
    ],
    Python: [
      { cpe: 'python:python', versionParts: 3 },
      server('(?:^|[ (])(?:C?Python)/{v}', 'Werkzeug/2.3.7 Python/3.11.4', 'MonoPython/3'),
    ],
    Ruby: [
      { cpe: 'ruby-lang:ruby', versionParts: 3 },
      server('\\bRuby/{v}', 'WEBrick/1.4.2 (Ruby/2.6.3/2019-04-16)', 'RubyRed/1'),
    ],
    Java: [cookie('JSESSIONID'), header('x-powered-by', '^(?:Servlet|JSP)[/ ]\\d', 'Servlet/3.1', 'Servlets')],
    Perl: [
      { cpe: 'perl:perl', versionParts: 3 },
      server('\\bPerl/v?{v}', 'Apache/2.2.22 mod_perl/2.0.5 Perl/v5.14.2', 'mod_perl/2.0.5'),
    ],
    mod_perl: [
      { implies: ['Perl'] },
      server('\\bmod_perl/{v}', 'Apache/2.2.22 mod_perl/2.0.5 Perl/v5.14.2', 'mod_pearl/1'),
    ],
    'Node.js': [header('x-powered-by', '^Node(?:\\.js)?(?:/{v})?$', 'Node.js', 'NodeBB')],
    Erlang: [server('Erlang(?: OTP)?[ /]', 'MochiWeb/1.0 (Any of you quaids got a smint?) Erlang OTP/R14', 'Erlanger')],
    Rust: [server('\\bRust/\\d', 'hyper Rust/1.75', 'Trust/1')],
    Go: [server('^Go-http-server', 'Go-http-server/1.1', 'Gopher')],
    ColdFusion: [
      { cpe: 'adobe:coldfusion' },
      cookie('CFID', 'CFTOKEN'),
      server('^ColdFusion', 'ColdFusion', 'WarmFusion'),
    ],
    'Classic ASP': [{ implies: ['Windows Server'] }, cookie('ASPSESSIONID*')],
    HHVM: [{ cpe: 'facebook:hhvm' }, header('x-powered-by', '^HHVM(?:/{v}|$)', 'HHVM/3.30.3', 'HHVMs')],
    Mono: [
      { cpe: 'mono:mono' },
      server('^Mono(?:\\.WebServer\\S{0,20})?/{v}', 'Mono.WebServer2/0.4.0.0 Unix', 'Monorail/1'),
    ],
  }),
  ...defineTechnologies('operating system', {
    'Windows Server': [server('\\((?:Win32|Win64)\\)', 'Apache/2.4.25 (Win32) PHP/5.6.30', 'Apache/2.4.57 (Debian)')],
    Debian: [
      server('\\(Debian\\)', 'Apache/2.4.57 (Debian)', 'Apache/2.4.57 (Unix)'),
      header('x-powered-by', '\\+deb\\d', 'PHP/7.3.31-1~deb10u1+deb10', 'PHP/7.3.31'),
    ],
    Ubuntu: [
      server('\\(Ubuntu\\)', 'nginx/1.18.0 (Ubuntu)', 'Apache/2.4.57 (Unix)'),
      header('x-powered-by', '\\dubuntu\\d', 'PHP/7.2.24-0ubuntu0.18.04.17', 'PHP/7.2.24'),
    ],
    CentOS: [server('\\(CentOS', 'Apache/2.4.6 (CentOS) OpenSSL/1.0.2k-fips', 'Apache/2.4.57 (Unix)')],
    'Red Hat Enterprise Linux': [
      server('\\(Red Hat', 'Apache/2.4.37 (Red Hat Enterprise Linux)', 'Apache/2.4.6 (CentOS)'),
    ],
    Fedora: [server('\\(Fedora', 'Apache/2.4.58 (Fedora Linux)', 'Apache/2.4.6 (CentOS)')],
    'Rocky Linux': [server('\\(Rocky Linux\\)', 'Apache/2.4.57 (Rocky Linux)', 'Apache/2.4.57 (Rocky)')],
    AlmaLinux: [server('\\(AlmaLinux\\)', 'Apache/2.4.57 (AlmaLinux)', 'Apache/2.4.57 (Alma)')],
    'Amazon Linux': [server('\\((?:Amazon(?: Linux)?)\\)', 'Apache/2.4.58 (Amazon Linux)', 'AmazonS3')],
    FreeBSD: [server('\\(FreeBSD\\)', 'Apache/2.4.57 (FreeBSD) OpenSSL/1.1.1t', 'Apache/2.4.57 (Unix)')],
    SUSE: [server('\\(Linux/SUSE\\)', 'Apache/2.4.43 (Linux/SUSE)', 'Apache/2.4.57 (Unix)')],
    Gentoo: [server('\\(Gentoo', 'Apache/2.2.29 (Gentoo)', 'Apache/2.4.57 (Unix)')],
  }),
  ...defineTechnologies('security', {
    OpenSSL: [
      { cpe: 'openssl:openssl', versionParts: 3 },
      server('\\bOpenSSL/{v}', 'Apache/2.4.6 (CentOS) OpenSSL/1.0.2k-fips', 'LibreSSL/2.0'),
    ],
    mod_ssl: [
      { cpe: 'mod_ssl:mod_ssl' },
      server('\\bmod_ssl(?:/{v}|[ ,]|$)', 'Apache/1.3.41 (Unix) mod_ssl/2.8.31', 'mod_ssld'),
    ],
    Suhosin: [
      { implies: ['PHP'] },
      header('x-powered-by', 'Suhosin-Patch', 'PHP/5.3.2 with Suhosin-Patch', 'Suhosin.org'),
    ],
  }),
  ...defineTechnologies('web framework', {
    'ASP.NET': [
      { cpe: 'microsoft:asp.net' },
      header('x-aspnet-version', '^{v}', '4.0.30319', 'none'),
      header('x-powered-by', '^ASP\\.NET$', 'ASP.NET', 'ASP-NET'),
      cookie('ASP.NET_SessionId', '.ASPXAUTH', '.ASPXANONYMOUS'),
      path('/(?:webresource|scriptresource)\\.axd\\?d=', '/WebResource.axd?d=abc&t=1', '/webresource.js?d=1'),
    ],
    'ASP.NET MVC': [{ implies: ['ASP.NET'] }, header('x-aspnetmvc-version', '^{v}', '5.2', 'none')],
    'ASP.NET Core': [{ cpe: 'microsoft:asp.net_core' }, cookie('.AspNetCore.*')],
    Express: [
      { cpe: 'openjsf:express', implies: ['Node.js'] },
      header('x-powered-by', '^Express$', 'Express', 'ExpressionEngine'),
      cookie('connect.sid'),
    ],
    Koa: [
      { implies: ['Node.js'] },
      header('x-powered-by', '^koa$', 'koa', 'Koala'),
      cookie('koa.sess', 'koa.sess.sig'),
    ],
    'Sails.js': [
      { implies: ['Express'] },
      header('x-powered-by', '^Sails', 'Sails <sailsjs.com>', 'MySails'),
      cookie('sails.sid'),
    ],
    AdonisJS: [{ implies: ['Node.js'] }, cookie('adonis-session', 'adonis-session-values')],
    Meteor: [
      { implies: ['Node.js'] },
      path('[?&]meteor_js_resource=true', '/abc.js?meteor_js_resource=true', '/meteor.js'),
    ],
    Laravel: [{ cpe: 'laravel:laravel', implies: ['PHP'] }, cookie('laravel_session', 'laravel_token')],
    Livewire: [
      { cpe: 'laravel:livewire', implies: ['Laravel'] },
      path('/livewire/livewire(?:\\.min)?\\.js', '/livewire/livewire.js?id=90730a3b0e7144480175', '/livewires/app.js'),
    ],
    Symfony: [
      { cpe: 'sensiolabs:symfony', implies: ['PHP'] },
      hasHeader('x-debug-token-link'),
      cookie('sf_redirect'),
      path('/bundles/framework/css/', '/bundles/framework/css/body.css', '/bundles/app.css'),
    ],
    CodeIgniter: [{ cpe: 'codeigniter:codeigniter', implies: ['PHP'] }, cookie('ci_session', 'ci_csrf_token')],
    CakePHP: [{ cpe: 'cakefoundation:cakephp', implies: ['PHP'] }, cookie('CAKEPHP', 'cakephp')],
    Yii: [
      { cpe: 'yiiframework:yii', implies: ['PHP'] },
      cookie('YII_CSRF_TOKEN', 'yii_lang'),
      path('/assets/[0-9a-f]{7,8}/yii\\.js', '/assets/ac5fd9b7/yii.js?v=1', '/js/yii.js'),
    ],
    'Zend Framework': [{ cpe: 'zend:zend_framework', implies: ['PHP'] }, cookie('ZENDPHPSESSID')],
    'Ruby on Rails': [
      { cpe: 'rubyonrails:rails', implies: ['Ruby'] },
      meta('csrf-param', '^authenticity_token$', 'authenticity_token', '_csrf'),
      cookie('_rails_session'),
      header('x-powered-by', 'mod_rails', 'Phusion Passenger (mod_rails/mod_rack) 3.0.0', 'rails'),
    ],
    Django: [
      { cpe: 'djangoproject:django', implies: ['Python'] },
      cookie('csrftoken', 'django_language'),
      path(
        '/static/admin/js/(?:jquery\\.init|core|vendor/jquery)',
        '/static/admin/js/jquery.init.js',
        '/static/js/admin.js',
      ),
    ],
    'Play Framework': [
      { cpe: 'playframework:play_framework', implies: ['Java'] },
      cookie('PLAY_SESSION', 'PLAY_FLASH', 'PLAY_LANG'),
    ],
    'Apache Struts': [
      { cpe: 'apache:struts', implies: ['Java'] },
      path('/struts/(?:utils|optiontransferselect|domtt|xhtml/)', '/struts/utils.js', '/js/struts.js'),
    ],
    'Jakarta Faces': [
      { implies: ['Java'] },
      header('x-powered-by', '^JSF[/ ]', 'JSF/2.2', 'JSFiddle'),
      path('/javax\\.faces\\.resource/', '/javax.faces.resource/jsf.js.xhtml?ln=javax.faces', '/faces/app.js'),
    ],
    PrimeFaces: [
      { cpe: 'primetek:primefaces', implies: ['Jakarta Faces'] },
      path(
        '/javax\\.faces\\.resource/[^?]{1,80}\\?ln=primefaces(?:&v={v})?',
        '/javax.faces.resource/core.js.xhtml?ln=primefaces&v=8.0',
        '/primefaces.js',
      ),
    ],
    Vaadin: [
      { cpe: 'vaadin:vaadin', implies: ['Java'] },
      path('/vaadin/(?:vaadinbootstrap|build/)', '/VAADIN/vaadinBootstrap.js?v=8.14.3', '/vaadins/x.js'),
    ],
    'Apache Wicket': [
      { cpe: 'apache:wicket', implies: ['Java'] },
      path(
        '/wicket/resource/org\\.apache\\.wicket\\.',
        '/wicket/resource/org.apache.wicket.ajax.AbstractDefaultAjaxBehavior/res/js/wicket-ajax-jquery.js',
        '/wicket/app.js',
      ),
    ],
    Phoenix: [{ cpe: 'phoenixframework:phoenix', implies: ['Erlang'] }, mark('[data-phx-main]', '[data-phx-session]')],
    'Spring Boot': [
      { cpe: 'vmware:spring_boot', implies: ['Java'] },
      header('x-application-context', '^\\w', 'application:8080', '-'),
    ],
    Frappe: [
      { cpe: 'frappe:frappe', implies: ['Python'] },
      path('/assets/frappe/', '/assets/frappe/js/frappe-web.min.js', '/assets/frappes/x.js'),
    ],
    web2py: [{ cpe: 'web2py:web2py', implies: ['Python'] }, header('x-powered-by', '^web2py', 'web2py', 'web3py')],
    Plack: [{ implies: ['Perl'] }, server('^HTTP::Server::PSGI', 'HTTP::Server::PSGI', 'HTTP::Server')],
    Mojolicious: [
      { implies: ['Perl'] },
      server('^Mojolicious \\(Perl\\)', 'Mojolicious (Perl)', 'Mojo'),
      cookie('mojolicious'),
    ],
    Dancer: [
      { implies: ['Perl'] },
      header('x-powered-by', '^Perl Dancer2?(?: {v})?', 'Perl Dancer 1.3138', 'Tiny Dancer'),
    ],
    Fresh: [{ implies: ['Deno', 'Preact'] }, path('/_fre?sh/js/', '/_frsh/js/1a2b3c/main.js', '/fresh/js/a.js')],
    FastAPI: [{ cpe: 'fastapi_project:fastapi', implies: ['Python'] }, media('fastapi.tiangolo.com/img')],
    Deno: [{ cpe: 'deno:deno' }, server('^deno/', 'deno/gcp-us-east4', 'denote/1')],
    'Apache Sling': [{ cpe: 'apache:sling', implies: ['Java'] }, server('^Apache Sling', 'Apache Sling', 'Apache/2')],
  }),
];

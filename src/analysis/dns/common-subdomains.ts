/**
 * Common names of hosts under a domain, by purpose; compiled for this project. `NUMBERED`: how many of numbered hosts (`ns1`, `ns2`)
 * are tried.
 */
const SUBDOMAINS_BY_TOPIC: Readonly<Record<string, string>> = {
  web: `www web site sites home main portal start landing pages page web-app webapp webapps mobile m wap amp touch app apps
    application applications www-old old-www www-new www-test www-dev www-staging wwww ww1 ww2 ww3 w3 public static static-files
    origin origin-www edge front frontend fe ui ux gui client clients spa pwa widget widgets embed iframe preview previews draft
    drafts cms content contents wordpress wp drupal joomla typo3 magento shopify umbraco sitecore ghost strapi directus contentful
    blog blogs news newsroom press media presse magazine journal article articles story stories editorial`,
  company: `about company corporate corp group holding investors investor ir careers career jobs job work recruiting recruit hr people
    team teams staff employees employee office intern interns internal intranet extranet inside employeeportal myhr payroll benefits
    legal compliance privacy gdpr trust ethics policy policies governance sustainability csr foundation charity events event
    webinar webinars conference summit meetup expo campaign campaigns promo promotions offers offer deals contest survey surveys poll
    feedback research labs lab innovation ventures partners partner affiliates affiliate resellers reseller distributors dealer dealers
    franchise vendors vendor suppliers supplier contractors contact contacts brand brands branding design assets-brand`,
  commerce: `shop store shopping cart checkout buy order orders sales sell market marketplace catalog catalogue products product pricing
    price quote quotes billing bill invoice invoices pay payment payments paypal stripe wallet bank banking finance financial accounting
    accounts account erp crm sap oracle netsuite dynamics salesforce hubspot loyalty rewards gift giftcards coupons voucher vouchers
    booking bookings reservation reservations tickets ticket travel insurance loan loans mortgage trade trading exchange-rates tax donate
    donation subscriptions subscription subscribe merchant merchants pos retail wholesale b2b b2c procurement purchase purchasing warehouse
    inventory logistics shipping delivery tracking track parcel returns fulfillment`,
  identity: `login signin sign-in signup register registration auth auth0 authn authz oauth oauth2 oidc openid sso saml adfs idp identity id
    ids iam cas keycloak okta ping pingfed duo mfa 2fa otp radius ldap ldaps ad dc kerberos directory passport profile profiles user users
    member members membership my me self selfservice password passwords pwreset reset vault secrets pki ca certs cert ocsp crl ssl
    tls keys key session sessions accountcenter secure security soc csirt cert-team bugbounty disclosure`,
  mail: `mail email webmail mailer mailing mailman lists list newsletter newsletters smtp smtps relay mta mx mxs imap imaps pop pop3
    pops exchange owa outlook autodiscover autoconfig activesync zimbra roundcube horde squirrelmail postfix sendmail mailgate mailgw
    mailhost mailserver mail-out mail-in outbound inbound bounce bounces unsubscribe spam antispam spamfilter quarantine mailfilter
    barracuda ironport mimecast proofpoint sendgrid mailgun mandrill postmark sparkpost em email-tracking click clicks links link url
    go out open t e em1 news-mail dmarc dkim spf mta-sts bimi webmail2 securemail encrypt cloudmail office365 o365 gsuite calendar cal
    caldav carddav dav`,
  dns: `ns dns resolver resolver1 dnssec whois rdap ntp time clock nic dhcp tftp ipam gw gateway router switch core edge-gw border firewall fw
    pfsense fortigate paloalto checkpoint asa vpn vpns sslvpn webvpn openvpn wireguard ipsec anyconnect remote remoteaccess access ras
    citrix netscaler rdp rdweb rdgateway rds terminal ts vdi horizon vmware view desktop desktops workspace bastion jump jumphost
    jumpbox tunnel proxy proxies squid reverse-proxy waf lb loadbalancer haproxy nginx traefik envoy varnish ingress nat wifi wlan
    hotspot guest captive wireless unifi network net lan wan dmz noc snmp syslog netflow radius-test bgp peering lg lookingglass speedtest
    ping test-ipv6 ipv6 ipv4 ip host hosts hosting hostmaster server servers node nodes localhost`,
  api: `api apis api-v1 api-v2 api-v3 v1 v2 v3 rest graphql gql grpc soap rpc ws wss websocket websockets socket sockets realtime stream
    streaming events-api webhook webhooks hooks callback callbacks gateway-api api-gateway apigw apigateway kong apigee tyk backend be bff
    service services svc microservices integration integrations connect connector connectors bridge middleware esb bus mq queue
    rabbitmq kafka activemq nats pubsub mqtt iot devices device telemetry sensor sensors data-api public-api partner-api private-api
    open-api openapi swagger developer developers dev-portal devportal docs-api api-docs apidocs sdk console portal-api mobile-api app-api
    api-test api-dev api-staging api-stage api-uat api-qa api-prod api-sandbox api-internal sandbox playground demo-api json xml feed feeds
    rss sync push notifications notification notify sms voice-api`,
  stages: `dev devel development develop test tests testing tst qa quality uat sit int integration-test preprod pre-prod pre prod
    production live stage staging stg beta alpha gamma rc canary nightly next new old legacy archive-site backup-site dr failover standby
    hotfix feature review demo demos trial sample example examples poc pilot prototype proto experimental experiment training train learn-dev
    temp tmp dummy mock stub dev-app dev-web dev-www dev-admin dev-db dev-portal-old dev-auth test-app test-web test-www test-admin
    testapp testweb testsite testserver testapi staging-api staging-app staging-www staging-admin stage-api stage-app stage-www qa-api qa-app qa-www
    uat-api uat-app uat-www prod-api prod-app prod-www preview-api beta-api beta-app beta-www demo-app demo-www sandbox-api local localdev`,
  admin: `admin admins administrator administration adm cp cpanel whm plesk directadmin webmin webdisk panel control controlpanel dashboard
    dash manage manager management mgmt mgt master root sysadmin system sys backoffice back-office office-admin admin-portal adminpanel
    superadmin moderator staff-portal ops operations op sre it itsm helpdesk servicedesk support desk service-desk otrs zendesk freshdesk
    status statuspage uptime health healthcheck monitor monitoring mon nagios icinga zabbix prtg cacti munin observium librenms
    grafana prometheus alertmanager thanos loki tempo jaeger zipkin kibana elk elastic elasticsearch logstash graylog splunk logs log
    logging sentry bugsnag newrelic datadog metrics stats statistics analytics matomo piwik umami plausible awstats report reports reporting
    bi tableau powerbi looker metabase superset redash qlik insights insight audit audits inventory-it assets-it cmdb asset assets`,
  build: `git gitlab github gitea gogs bitbucket svn cvs hg repo repos repository code source src scm gerrit phabricator review-board
    fisheye crucible ci cd cicd jenkins hudson teamcity bamboo drone concourse circleci travis gocd argo argocd argo-cd flux spinnaker
    tekton build builds builder buildbot runner runners agent agents deploy deployment deployments release releases artifacts artifact
    artifactory nexus harbor registry docker docker-registry containers container images image-registry npm pypi maven packages package
    mirror mirrors download downloads dl update updates upgrade apt yum rpm sonar sonarqube codecov coverage lint jira confluence wiki
    kb knowledge knowledgebase docs doc documentation manual manuals help faq guide guides trello asana redmine mantis bugzilla bugs bug
    issues issue tracker youtrack trac project projects pm kanban scrum agile roadmap changelog backlog teamwork basecamp monday`,
  cloud: `cloud clouds aws azure gcp s3 bucket buckets blob storage store-files object objects minio ceph swift nas san files file fileserver
    fileshare share shares sharepoint onedrive nextcloud owncloud seafile dropbox box drive docs-share ftp ftps sftp ssh scp rsync upload
    uploads transfer filetransfer backup backups bak snapshot snapshots archive archives vault-backup veeam k8s kube kubernetes rancher openshift
    okd cluster clusters swarm nomad consul etcd mesos marathon openstack horizon-cloud vcenter vsphere esxi esx vcloud proxmox xen xenserver
    hyperv kvm virt virtual vm vms vps lambda functions serverless terraform ansible puppet chef salt awx foreman cockpit portainer
    docker1 heroku netlify vercel pages-cloud compute instance instances region us eu asia us-east us-west eu-west eu-central ap`,
  data: `db database databases sql mysql mariadb postgres postgresql pgsql psql pg mssql sqlserver oracle-db mongo mongodb redis memcached
    memcache cache caches couchdb couchbase cassandra scylla clickhouse influx influxdb timescale neo4j graph solr search searchapi
    opensearch meilisearch algolia sphinx phpmyadmin pma adminer pgadmin myadmin dbadmin data datahub datalake dw dwh warehouse-data etl airflow
    nifi hadoop hdfs hive hue spark presto trino zeppelin jupyter notebook notebooks jupyterhub mlflow kubeflow ml ai gpu model models llm
    chatbot bot bots assistant copilot rpa automation workflow workflows n8n zapier camunda opendata dataset datasets`,
  media: `img imgs image images pic pics picture pictures photo photos gallery thumbs thumb avatar avatars icons fonts css js
    scripts script cdn cdn-origin cdns assets1 assets2 resources resource res files-cdn video videos vid vod tv live-stream livestream
    stream1 rtmp hls player players radio audio music podcast podcasts sound meet meeting meetings zoom jitsi bbb bigbluebutton teams-meet
    conference-call webex voice voip sip pbx asterisk phone phones call callcenter tel fax sbc turn stun ads ad-server adserver banner
    banners adv advertising marketing seo tag tags gtm pixel tracker-ads analytics-ads maps map gis geo geoserver tiles location places`,
  social: `community communities forum forums board boards bbs discuss discussion discourse chat chats talk im irc xmpp jabber matrix
    mattermost rocketchat rocket slack element social connect-social network-social friends groups dating club fans answers questions ask ideas
    idea suggestions vote voting petition mastodon peertube pixelfed wikis dictionary translate translation i18n locale en de fr es it
    nl pt br ru pl cz cn jp kr uk ca au`,
  learning: `learn learning lms moodle canvas blackboard elearning e-learning academy school university campus student students alumni faculty library
    libraries opac eprints courses course class classroom classes training-center exam exams quiz test-center certification tutor tutorials edu
    education kids children science physics math cs eng medicine nursing law arts admissions enroll enrollment registrar grades
    scholarship scholarships thesis repository-open journals ojs dspace`,
  sectors: `health healthcare patient patients doctor doctors clinic hospital pharmacy emr ehr pacs telehealth telemedicine gov citizen citizens
    city council police fire court land property properties realestate rent rental cars auto fleet gps energy power solar grid water
    smart smarthome building facilities facility camera cameras cctv nvr dvr security-cam parking print printer printers printserver
    scanner kiosk signage pos1 factory plant mes scada hmi plc ot historian maintenance quality-lab farm food restaurant menu recipes
    hotel hotels flights airport cruise tours sports games game gaming play casino bet poker lottery arcade minecraft steam`,
};

/** How many hosts of a family are tried: `ns1` to `ns6`. */
const NUMBERED_HOST_COUNTS: Readonly<Record<string, number>> = {
  ns: 6,
  dns: 4,
  mx: 5,
  mail: 5,
  smtp: 4,
  web: 5,
  www: 5,
  app: 4,
  api: 3,
  db: 4,
  vpn: 4,
  server: 4,
  srv: 4,
  host: 3,
  node: 4,
  proxy: 3,
  cdn: 4,
  static: 3,
  img: 4,
  images: 2,
  ftp: 2,
  dev: 3,
  test: 4,
  stage: 2,
  staging: 2,
  demo: 2,
  cloud: 2,
  gw: 2,
  fw: 2,
  lb: 3,
  dc: 3,
  ad: 2,
  exchange: 2,
  relay: 2,
  backup: 2,
  ntp: 2,
  sip: 2,
  vps: 2,
  k8s: 2,
  portal: 2,
  git: 2,
  remote: 2,
  citrix: 2,
};

/** Every name once, lower case. */
export const COMMON_SUBDOMAINS: readonly string[] = [
  ...new Set([
    ...Object.values(SUBDOMAINS_BY_TOPIC).flatMap((words) => words.trim().split(/\s+/)),
    ...Object.entries(NUMBERED_HOST_COUNTS).flatMap(([word, count]) =>
      Array.from({ length: count }, (_, index) => `${word}${index + 1}`),
    ),
  ]),
];

/** The most common names, for a search with little time. */
export const MOST_COMMON_SUBDOMAINS: readonly string[] =
  `www mail webmail smtp imap mx autodiscover ns1 ns2 ftp cpanel blog shop store api app m dev test
  staging demo beta admin portal login sso auth my cdn static img media files vpn remote git gitlab jenkins docs help support status
  cloud secure dashboard web www2`
    .trim()
    .split(/\s+/);

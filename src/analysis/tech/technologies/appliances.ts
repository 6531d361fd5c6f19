import { cookie, defineTechnologies, header, path, server, title } from '../define-technologies.ts';

/** Devices and platforms that are managed or entered by a page: firewalls, VPN gateways, storage, hypervisors, boards of servers. */
export const APPLIANCE_TECHNOLOGIES = [
  ...defineTechnologies('remote access', {
    'Citrix Gateway': [
      { cpe: 'citrix:netscaler_gateway' },
      title('^(?:Citrix|NetScaler) (?:Gateway|AAA)$', 'Citrix Gateway', 'Gateway'),
      path('/vpn/(?:js/|images/)', '/vpn/js/rdx/core/lang/rdx_en.json.gz.js', '/vpn.js'),
    ],
    GlobalProtect: [
      { cpe: 'paloaltonetworks:globalprotect' },
      title('^GlobalProtect Portal$', 'GlobalProtect Portal', 'Portal'),
      path('/global-protect/', '/global-protect/portal/css/login.css', '/global/a.css'),
    ],
    'Ivanti Connect Secure': [
      { cpe: 'ivanti:connect_secure' },
      cookie('DSSignInURL', 'DSSIGNIN'),
      path('/dana-na/', '/dana-na/css/ds.js', '/dana/a.js'),
      title('^(?:Ivanti|Pulse) Connect Secure$', 'Ivanti Connect Secure', 'Connect'),
    ],
    'Cisco AnyConnect': [
      { cpe: 'cisco:adaptive_security_appliance_software' },
      cookie('webvpnlogin', 'webvpncontext', 'webvpn'),
      path('/\\+CSCOE\\+/', '/+CSCOE+/win.js', '/CSCOE/a.js'),
    ],
    'Fortinet SSL VPN': [
      { cpe: 'fortinet:fortios' },
      cookie('SVPNCOOKIE', 'SVPNNETWORKCOOKIE'),
      path('/sslvpn/(?:css|js)/', '/sslvpn/css/ssl_style.css', '/vpn/css/a.css'),
    ],
    'SonicWall SSL VPN': [
      { cpe: 'sonicwall:sma_100_firmware' },
      server('^SonicWALL', 'SonicWALL SSL-VPN Web Server', 'Sonic'),
      title('^(?:SonicWall - )?Virtual Office$', 'Virtual Office', 'Office'),
    ],
    'F5 BIG-IP APM': [{ cpe: 'f5:big-ip_access_policy_manager' }, cookie('MRHSession', 'LastMRH_Session')],
    'VMware Horizon': [{ cpe: 'vmware:horizon' }, title('^VMware Horizon$', 'VMware Horizon', 'Horizon')],
    'Remote Desktop Web Access': [
      { implies: ['Microsoft IIS', 'ASP.NET'] },
      title('^(?:RD Web Access|Work Resources)$', 'RD Web Access', 'Web Access'),
      path('/rdweb/pages/', '/RDWeb/Pages/en-US/tswa.css', '/web/pages/a.css'),
    ],
    'OpenVPN Access Server': [
      { cpe: 'openvpn:openvpn_access_server' },
      server('^OpenVPN-AS$', 'OpenVPN-AS', 'OpenVPN'),
      cookie('openvpn_sess_*'),
    ],
    WatchGuard: [
      { cpe: 'watchguard:fireware' },
      title('^(?:Fireware|WatchGuard) ', 'Fireware XTM User Authentication', 'Fire'),
    ],
    'Sophos Firewall': [{ cpe: 'sophos:firewall' }, title('^Sophos(?: Firewall| User Portal)?$', 'Sophos', 'Soph')],
    noVNC: [{ cpe: 'novnc:novnc' }, title('^noVNC$', 'noVNC', 'VNC')],
    MeshCentral: [{ implies: ['Node.js'] }, title('^MeshCentral - Login$', 'MeshCentral - Login', 'Mesh')],
    ScreenConnect: [
      { cpe: 'connectwise:screenconnect' },
      server('^ScreenConnect/{v}', 'ScreenConnect/23.9.8.8811-1234', 'Screen'),
    ],
  }),
  ...defineTechnologies('network device', {
    pfSense: [
      { cpe: 'netgate:pfsense', implies: ['PHP'] },
      title('^pfSense - Login$|^Login to pfSense$', 'pfSense - Login', 'Sense'),
    ],
    OPNsense: [
      { cpe: 'opnsense:opnsense', implies: ['PHP'] },
      server('^OPNsense$', 'OPNsense', 'OPN'),
      title('\\| OPNsense$', 'Login | OPNsense', 'OPN'),
    ],
    FortiGate: [{ cpe: 'fortinet:fortios' }, title('^FortiGate$', 'FortiGate', 'Gate'), cookie('APSCOOKIE_*')],
    'UniFi Network': [
      { cpe: 'ui:unifi_network_application', implies: ['Java'] },
      title('^UniFi(?: Network| OS)?$', 'UniFi Network', 'Uni'),
    ],
    airOS: [{ cpe: 'ui:airos' }, cookie('AIROS_*')],
    'MikroTik RouterOS': [
      { cpe: 'mikrotik:routeros' },
      title('^(?:RouterOS|mikrotik routeros)', 'RouterOS router configuration page', 'Router'),
    ],
    OpenWrt: [
      { cpe: 'openwrt:openwrt' },
      title('- LuCI$', 'OpenWrt - LuCI', 'Luc'),
      cookie('sysauth_http', 'sysauth_https'),
    ],
    'DD-WRT': [{ cpe: 'dd-wrt:dd-wrt' }, title('^DD-WRT ', 'DD-WRT (build 44715) - Info', 'WRT')],
    'FRITZ!Box': [title('^FRITZ!Box', 'FRITZ!Box 7590', 'Box')],
    'TP-Link': [
      server('^(?:TP-LINK )?Router Webserver$', 'Router Webserver', 'Webserver'),
      title('^TP-Link', 'TP-Link Wireless Router', 'Link'),
    ],
    'Cisco IOS': [{ cpe: 'cisco:ios' }, server('^cisco-IOS$', 'cisco-IOS', 'cisco')],
    'Juniper J-Web': [
      { cpe: 'juniper:junos' },
      title('^(?:Log In - )?Juniper Web Device Manager$', 'Log In - Juniper Web Device Manager', 'Juniper'),
    ],
    'Palo Alto Networks PAN-OS': [
      { cpe: 'paloaltonetworks:pan-os' },
      path('/php/login\\.php|/styles/falcon_content', '/styles/falcon_content.css', '/styles/a.css'),
    ],
    'Check Point': [
      { cpe: 'checkpoint:gaia_portal' },
      server('^(?:CPWS|Check Point SVN foundation)', 'CPWS', 'CP'),
      title('^(?:Gaia|Check Point Mobile)$', 'Gaia', 'Gaias'),
    ],
    Hikvision: [{}, server('^(?:App-webs|DNVRS-Webs|Hikvision-Webs)/?$', 'App-webs/', 'webs')],
    Axis: [title('^(?:AXIS|Live view {0,1}- AXIS)', 'AXIS', 'ax is')],
    'HP LaserJet': [server('^HP HTTP Server; HP ', 'HP HTTP Server; HP LaserJet M402dn', 'HP')],
    Loxone: [server('^Loxone {v}?', 'Loxone 14.5.12.7', 'Lox')],
  }),
  ...defineTechnologies('administration', {
    'Proxmox VE': [
      { cpe: 'proxmox:virtual_environment', implies: ['Debian', 'Perl'] },
      server('^pve-api-daemon/', 'pve-api-daemon/3.0', 'pve/3'),
      path('/pve2/js/pvemanagerlib\\.js\\?ver={v}', '/pve2/js/pvemanagerlib.js?ver=8.1.4', '/js/pvemanager.js'),
      title('- Proxmox Virtual Environment$', 'pve01 - Proxmox Virtual Environment', 'Proxmox'),
    ],
    'Proxmox Backup Server': [
      { implies: ['Debian'] },
      title('- Proxmox Backup Server$', 'pbs - Proxmox Backup Server', 'Backup'),
      server('^proxmox-backup', 'proxmox-backup-proxy', 'proxmox'),
    ],
    'VMware ESXi': [
      { cpe: 'vmware:esxi' },
      title('^(?:Log in - VMware ESXi|" \\+ ID_EESX_Welcome|VMware ESXi)', 'Log in - VMware ESXi', 'ESX'),
    ],
    'VMware vCenter': [
      { cpe: 'vmware:vcenter_server' },
      title('^(?:ID_VC_Welcome|VMware vSphere|vSphere Client)$', 'ID_VC_Welcome', 'VC'),
    ],
    'Synology DSM': [
      { cpe: 'synology:diskstation_manager' },
      title('Synology (?:DiskStation|NAS|RackStation)| - DiskStation$', 'NAS - Synology DiskStation', 'Station'),
      path('/webman/', '/webman/resources/css/desktop.css', '/web/a.css'),
    ],
    'QNAP QTS': [{ cpe: 'qnap:qts' }, path('/cgi-bin/images/|/qnapmsg', '/cgi-bin/images/qnap.css', '/cgi/a.css')],
    TrueNAS: [{ cpe: 'ixsystems:truenas_firmware' }, title('^TrueNAS(?: - |$)', 'TrueNAS - 10.0.0.1', 'NAS')],
    openmediavault: [
      { cpe: 'openmediavault:openmediavault', implies: ['PHP'] },
      title('^openmediavault', 'openmediavault Workbench', 'vault'),
    ],
    iDRAC: [
      { cpe: 'dell:idrac9_firmware' },
      title(
        '^(?:iDRAC\\d?|Integrated Dell Remote Access Controller)',
        'Integrated Dell Remote Access Controller 9',
        'Dell',
      ),
    ],
    'HPE iLO': [
      { cpe: 'hp:integrated_lights-out_5_firmware' },
      server('^HPE?-iLO-Server/{v}?', 'HPE-iLO-Server/1.30', 'iLO'),
      title('^iLO \\d', 'iLO 5', 'Lo'),
    ],
    'Supermicro IPMI': [title('^(?:Supermicro BMC Login|ATEN International Co Ltd\\.)', 'Supermicro BMC Login', 'BMC')],
    'Lenovo XClarity': [title('^(?:XClarity Controller|Lenovo XClarity)', 'XClarity Controller', 'Clarity')],
    OctoPrint: [
      { cpe: 'octoprint:octoprint', implies: ['Python'] },
      title('^OctoPrint(?: Login)?$', 'OctoPrint Login', 'Octo'),
    ],
    CUPS: [
      { cpe: 'cups:cups' },
      server('^CUPS/{v}', 'CUPS/2.4 IPP/2.1', 'CUP'),
      title('- CUPS(?: {v})?$', 'Home - CUPS 2.4.2', 'CUP'),
    ],
    'SAP NetWeaver': [
      { cpe: 'sap:netweaver', implies: ['Java'] },
      server('^SAP NetWeaver Application Server', 'SAP NetWeaver Application Server 7.53 / AS Java', 'SAP'),
      cookie('sap-usercontext', 'MYSAPSSO2'),
    ],
    'Oracle E-Business Suite': [
      { cpe: 'oracle:e-business_suite', implies: ['Java'] },
      path('/OA_HTML/', '/OA_HTML/cabo/styles/a.css', '/OA/a.css'),
    ],
    PeopleSoft: [{ cpe: 'oracle:peoplesoft_enterprise', implies: ['Java'] }, cookie('PS_TOKEN', 'PS_LOGINLIST')],
    ServiceNow: [
      { cpe: 'servicenow:servicenow' },
      server('^ServiceNow$', 'ServiceNow', 'Service'),
      cookie('glide_user_route', 'glide_session_store'),
    ],
    ManageEngine: [{ implies: ['Java'] }, title('^ManageEngine ', 'ManageEngine ServiceDesk Plus', 'Engine')],
    MOVEit: [
      { cpe: 'progress:moveit_transfer', implies: ['ASP.NET'] },
      path('/moveit_', '/templates/moveit_login.css', '/move/a.css'),
      title('MOVEit Transfer', 'MOVEit Transfer Sign On', 'MOVE'),
    ],
    'Progress WS_FTP': [
      { cpe: 'progress:ws_ftp_server' },
      title('^WS_FTP Server', 'WS_FTP Server Web Transfer', 'FTP'),
    ],
    CrushFTP: [
      { cpe: 'crushftp:crushftp', implies: ['Java'] },
      server('^CrushFTP HTTP Server', 'CrushFTP HTTP Server', 'Crush'),
      cookie('CrushAuth'),
    ],
    HFS: [{ cpe: 'rejetto:http_file_server' }, server('^HFS {v}', 'HFS 2.3m', 'HF')],
    Authelia: [
      { cpe: 'authelia:authelia', implies: ['Go'] },
      title('^Login - Authelia$', 'Login - Authelia', 'Auth'),
      cookie('authelia_session'),
    ],
    authentik: [
      { cpe: 'goauthentik:authentik', implies: ['Python', 'Go'] },
      header('x-powered-by', '^authentik$', 'authentik', 'authentic'),
      cookie('authentik_session'),
    ],
    'AD FS': [{ implies: ['Windows Server'] }, path('/adfs/portal/', '/adfs/portal/css/style.css', '/fs/portal/a.css')],
    Shibboleth: [
      { cpe: 'shibboleth:identity_provider', implies: ['Java'] },
      cookie('shib_idp_session', '_shibsession_*', '_shibstate_*'),
    ],
    CAS: [
      { cpe: 'apereo:central_authentication_service', implies: ['Java'] },
      title(
        '^(?:CAS – Central Authentication Service|Login - CAS)',
        'Login - CAS – Central Authentication Service',
        'CA',
      ),
    ],
  }),
];

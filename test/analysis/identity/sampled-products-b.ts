import { sampledProducts } from './sampled-product.ts';

/** Half B of the sampled products. */
export const SAMPLED_B = sampledProducts(`
Zoom | zoom:zoom | | zoom:meetings | vbzoom:vbzoom mamboxchange:com_zoom silkypress:image_zoom
autocad_advance_steel | autodesk:autocad_advance_steel | autodesk:advance_steel | | autodesk:autocad
MOVEit Transfer | progress:moveit_transfer | ipswitch:moveit_transfer progess:moveit_transfer ipswitch:moveit_dmz ipswitch:moveit_transfer_2017 | moveit:moveit ipswitch:moveit | progress:moveit_automation progress:moveit_gateway ipswitch:moveit_mobile
internet_key_exchange | internet_key_exchange:internet_key_exchange | ietf:internet_key_exchange | |
python | python:python | python_software_foundation:python python:cpython python_software_foundation:cpython | | ipython:ipython micropython:micropython
splunk | splunk:splunk | splunk:splunk_enterprise | | splunk:splunk_cloud_platform splunk:universal_forwarder splunk:enterprise_security jenkins:splunk splunk:soar
RabbitMQ | vmware:rabbitmq | pivotal_software:rabbitmq | | voxpupuli:rabbitmq anynines:rabbitmq rabbitmq-c_project:rabbitmq-c
HashiCorp Vault | hashicorp:vault | hashicorp:vault_enterprise hashicorp:vault_community_edition :github.com/hashicorp/vault | | tibco:vault hashicorp:vault-action
PuTTY | putty:putty | simon_tatham:putty | | extraputty:extraputty
audio_station | synology:audio_station | | |
seed_fonts | seedwebs:seed_fonts | | |
whatsup_gold | progress:whatsup_gold | progress:whatsupgold ipswitch:whatsup_gold ipswitch:whatsup progress_software:whatsup_gold | |
Grafana | grafana:grafana | :github.com/grafana/grafana | | tdengine:grafana
k8s | kubernetes:kubernetes | :k8s.io/kubernetes :github.com/kubernetes/kubernetes | | jenkins:kubernetes kubernetes:minikube kubernetes:cri-o
linux_desktop | redhat:linux_desktop | redhat:enterprise_linux_desktop | | novell:linux_desktop redhat:linux
businessobjects_business_intelligence_platform | sap:businessobjects_business_intelligence_platform | sap:business_objects_business_intelligence_platform sap:businessobjects_business_intelligence sap:business_intelligence_platform | sap:businessobjects sap:business_objects |
office | microsoft:office | | microsoft:office_365_proplus microsoft:office_long_term_servicing_channel microsoft:office_for_mac microsoft:365_apps | cybozu:office synology:office hancom:office microsoft:office_compatibility_pack microsoft:office_online_server trendmicro:officescan
concrete5 | concretecms:concrete_cms | concrete5:concrete5 concrete5:concrete portlandlabs:concrete_cms concrete5-legacy_project:concrete5-legacy | |
ScreenConnect | connectwise:screenconnect | | |
redaxo | redaxo:redaxo | redaxo:redaxo_cms | |
control_for_plcnext_sl | codesys:control_for_plcnext_sl | codesys:control_for_plcnext | | codesys:control
SAP HANA | sap:hana | sap:hana_database sap:hana_db | sap:hana_sps09 | sap:hana_extended_application_services justsystems:hanako neox:hana_flv_player
employee_management_system | sourcecodester:employee_management_system | remyandrade:employee_management_system razormist:employee_management_system | employee_management_system_project:employee_management_system | sherlock:employee_management_system
MobileIron | ivanti:endpoint_manager_mobile | | ivanti:mobileiron | mobileiron:sentry ivanti:mobileiron_sentry
memcached | memcached:memcached | memcachedb:memcached | | php:memcached awesome:libmemcached
network_cat1_standard | chia:network_cat1_standard | | |
Spark | apache:spark | | :pyspark | cisco:spark sparkjava:spark readdle:spark igniterealtime:spark fire.ly:spark
kaspersky_anti-virus | kaspersky_lab:kaspersky_anti-virus | kaspersky:kaspersky_anti-virus kaspersky:anti-virus kaspersky_lab:kaspersky_anti-virus_2009 kaspersky_lab:kaspersky_anti-virus_2010 | kaspersky_lab:kaspersky_anti-virus_personal kaspersky_lab:kaspersky_anti-virus_personal_pro | kaspersky_lab:kaspersky_antivirus_engine
VLC | videolan:vlc_media_player | videolan:vlc | | videolan:vlc_for_mobile
Internet Explorer | microsoft:internet_explorer | microsoft:ie | |
macos | apple:macos | apple:mac_os_x | apple:mac_os apple:macos_monterey apple:macos_sonoma apple:macos_ventura | kong_insomnia:macos apple:mac_os_x_server apple:mac_os_runtime_for_java
flashchat | tufat:flashchat | darrens_5-dollar_script_archive:flashchat | | develooping:flash_chat
sunos | sun:sunos | oracle:sunos | sun:solaris oracle:solaris |
exim | exim:exim | university_of_cambridge:exim | | sa-exim:sa-exim sa-exim_project:sa-exim
sql_server | microsoft:sql_server | | microsoft:sql_server_express_edition microsoft:sql_server_desktop_engine | sqlserver_project:sqlserver microsoft:sql_server_management_studio microsoft:ole_db_driver_18_for_sql_server microsoft:sql_server_reporting_services
Exchange Server | microsoft:exchange_server | | | oracle:exchange ithemes:exchange viabtc:viabtc_exchange_server mcafee:threat_intelligence_exchange_server
android | google:android | | samsung:android motorola:android google:android_kernel | google:android_sdk google:android_browser
firefox | mozilla:firefox | | mozilla:firefox_esr | mozilla:firefox_os mozilla:firefox_focus mozilla:firefox_for_ios mozilla:firefoxos mozilla:firefox_mobile
TeamCity | jetbrains:teamcity | | |
linux | gentoo:linux | | | linux:linux redhat:linux oracle:linux conectiva:linux ubuntu:linux corel:linux codesys:linux mandriva:linux rpath:linux cyrix:linux listmanager:linux sun:linux
libsndfile | libsndfile_project:libsndfile | mega-nerd:libsndfile | |
core | onlyoffice:core | | | formtools:core api-platform:core gibbon:core jgrapht:core
small_http_server | max_feoktistov:small_http_server | smallsrv:small_http_server | |
Docker Desktop | docker:desktop | docker:docker_desktop | | docker:docker docker:engine
bsd_os | bsdi:bsd_os | windriver:bsdos | |
opensuse | opensuse:opensuse | opensuse_project:opensuse suse:opensuse | suse:suse_linux opensuse:leap |
kibana | elastic:kibana | elasticsearch:kibana | | elastic:elasticsearch elasticsearch:elasticsearch elastic:kibana_x-pack elastic:kibana_reporting
jrun | macromedia:jrun | adobe:jrun | |
edvr_manager | webgateinc:edvr_manager | webgate:edvr_manager | |
elements_endpoint_protection | f-secure:elements_endpoint_protection | withsecure:elements_endpoint_protection | | f-secure:endpoint_protection
WebLogic | oracle:weblogic_server | bea:weblogic_server bea_systems:weblogic_server | |
CrushFTP | crushftp:crushftp | ben_spink:crushftp_ftp_server | |
RouterOS | mikrotik:routeros | microtik:routeros | mikrotik:routeros_tftp |
zainu | zainu:zainu | shalwan:zainu | |
heimdal | heimdal_project:heimdal | kth:heimdal heimdal:heimdal freebsd:heimdal | | heimdalsecurity:heimdal heimdalsecurity:heimdal_premium_security
7zip | 7-zip:7-zip | igor_pavlov:7-zip 7-zip:7zip | | 7-zip:p7zip akky:7-zip32.dll
ovbb | jonathon_freeman:ovbb | jonathon_j._freeman:ovbb ovbb:ovbb | |
vcenter_server | vmware:vcenter_server | broadcom:vmware_vcenter_server vmware:vcenter | vmware:vcenter_server_appliance | vmware:server
Zimbra | synacor:zimbra_collaboration_suite | zimbra:collaboration zimbra:collaboration_server zimbra:zimbra synacor:zimbra_collaboration_server zimbra:zimbra_collaboration_suite zimbra:zimbra_collaboration_server zimbra:collaboration_suite synocor:zimbra_collaboration_suite | zimbra:zm-mailbox | vmware:zimbra_desktop
Ghostscript | artifex:ghostscript | artifex:gpl_ghostscript ghostscript:ghostscript aladdin_enterprises:ghostscript | artifex:ghostscript_ghostxps | artifex:ghostscript_fonts
payroll_management_system | fabian:payroll_management_system | | | itsourcecode:payroll_management_system sourcecodester:payroll_management_system
linux_kernel | linux:linux_kernel | linux:kernel kernel:linux_kernel linux:linux | ubuntu:linux_kernel linux:linux_kernel-rt | redhat:linux oracle:linux
coldfusion | adobe:coldfusion | macromedia:coldfusion allaire:coldfusion | | adobe:coldfusion_builder
zoph | zoph:zoph | jason_geiger:zoph | |
java_virtual_machine | microsoft:java_virtual_machine | microsoft:virtual_machine | | oracle:java_virtual_machine sun:java_virtual_machine
mautic | acquia:mautic | mautic:mautic | |
communicator | netscape:communicator | | |
medicine_tracker_system | medicine_tracker_system_project:medicine_tracker_system | sourcecodester:medicine_tracker_system | |
phpadsnew | phpadsnew:phpadsnew | | |
Nextcloud | nextcloud:nextcloud_server | nextcloud:nextcloud nextcloud:server | nextcloud:nextcloud_enterprise_server | nextcloud:talk nextcloud:desktop owncloud:owncloud nextcloud:mail
cloud_protection_for_salesforce | f-secure:cloud_protection_for_salesforce | withsecure:cloud_protection_for_salesforce | |
debian_linux | debian:debian_linux | | |
checkmk | tribe29:checkmk | checkmk:checkmk check_mk_project:check_mk checkmk_gmbh:checkmk | |
itunes | apple:itunes | | | itunesrpc-remastered_project:itunesrpc-remastered
genixcms | metalgenix:genixcms | genixcms:genixcms | |
Cacti | cacti:cacti | the_cacti_group:cacti | |
Telerik UI for ASP.NET AJAX | telerik:ui_for_asp.net_ajax | | progress:telerik_ui |
ESXi | vmware:esxi | | | vmware:esx
neuron_blog | dev:neuron_blog | hotscripts:neuron_blog | |
OpenVPN | openvpn:openvpn | openvpn:openvpn2 | | openvpn:openvpn_access_server openvpn:connect openvpn-monitor_project:openvpn-monitor aviatrix:openvpn openvpn:openvpn_gui
AngularJS | angularjs:angular.js | angularjs:angular :angular | :org.webjars.bower:angular :org.webjars.npm:angular | textangular:textangular
roundcube | roundcube:webmail | roundcube:roundcube_webmail roundcube:roundcube | |
BIG-IP APM | f5:big-ip_access_policy_manager | f5:big-ip_apm | | f5:big-ip_access_policy_manager_client
ambari | apache:ambari | | |
phpkf-portal | phpkf:phpkf-portal | | | phpkf:phpkf
amelia | tms-outsource:amelia | wpamelia:amelia | | tms-outsource:wpdatatables wpdatatables:wpdatatables
mantisbt | mantisbt:mantisbt | matisbt:mantis mantis:mantis | |
fuse | fuse:fuse | fuse_project:fuse debian:fuse miklos_szeredi:fuse libfuse_project:libfuse | | redhat:fuse redhat:jboss_fuse fusetalk:fusetalk
nfs-utils | linux-nfs:nfs-utils | nfs:nfs-utils redhat:nfs_utils | |
solaris | oracle:solaris | sun:solaris oracle:solaris_operating_system | oracle:sunos sun:sunos oracle:solaris_sparc | oracle:opensolaris sun:opensolaris oracle:solaris_cluster oracle:solaris_studio
ip_soft_phone | avaya:ip_soft_phone | avaya:ip_softphone | |
jre | oracle:jre | sun:jre hp:jre | oracle:java_se sun:java_se |
libesmtp | libesmtp:libesmtp | stafford.uklinux:libesmtp libesmtp_project:libesmtp | | ambicom:blue_neighbors
exiv2 | exiv2:exiv2 | andreas_huggel:exiv2 | |
big-ip_global_traffic_manager | f5:big-ip_global_traffic_manager | f5:big-ip_global_traffic_manager11.2.0 | f5:big-ip_domain_name_system | f5:big-ip
cloud_optix | sophos:cloud_optix | | |
foreman | theforeman:foreman | | | theforeman:foreman-tasks theforeman:foreman_azurerm theforeman:foremanfogproxmox
apartment_visitor_management_system | oretnom23:apartment_visitor_management_system | | apartment_visitor_management_system_project:apartment_visitor_management_system | oretnom23:visitor_management_system
unity_connection | cisco:unity_connection | cisco:unity_connection_8.5 cisco:unity_connection_8.6 | | cisco:unity
netbackup | veritas:netbackup | symantec_veritas:netbackup | symantec_veritas:netbackup_enterprise_server symantec_veritas:netbackup_server | veritas:netbackup_appliance veritas:netbackup_opscenter veritas:netbackup_it_analytics
application_server | oracle:application_server | oracle:oracle_application_server | oracle:application_server_9i | wso2:application_server 2x:applicationserver hp:application_server sap:application_server multixtpm:application_server sitefusion:application_server oracle:application_server_portal
windows_server_2003 | microsoft:windows_server_2003 | microsoft:windows_2003_server | | microsoft:windows_2000
pcre | pcre:pcre | perl:pcre | pcre:pcre2 |
Notepad++ | notepad-plus-plus:notepad++ | notepad++:notepad++ don_ho:notepad++ | |
tvos | apple:tvos | apple:tv_os | |
duplicator | snapcreek:duplicator | awesomemotive:duplicator cory_lamle:duplicator | |
Mongoose | cesanta:mongoose | cesanta:mongoose_embedded_web_server_library sergey_lyubka:mongoose valenok:mongoose | | mongoosejs:mongoose :mongoose erlang-solutions:mongooseim cesanta:mongoose_os
centreon | centreon:centreon | merethis:centreon | centreon:centreon_web centreon:centreon_vm | centreon:centreon_host-monitoring_widget
foxit_reader | foxitsoftware:foxit_reader | foxitsoftware:reader foxit:reader foxit_software:reader foxit:reader3.0 foxitsoftware:pdf_reader foxit:pdf_reader | foxit:pdf_reader_for_mac foxitsoftware:enterprise_reader foxitsoftware:foxit_mobilepdf_-_pdf_reader | adobe:reader
arubaos | arubanetworks:arubaos | hp:arubaos hpe:arubaos | |
`);

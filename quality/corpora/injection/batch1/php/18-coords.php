<?php

[$lat, $lon, $label] = array_pad(explode(';', $_GET['p'] ?? ''), 3, '');
['zoom' => $zoom, 'style' => $style] = $_GET + ['zoom' => '10', 'style' => 'osm'];

$lat = (float) $lat;
$lon = (float) $lon;

$out = shell_exec("rendermap --lat $lat --lon $lon --out /srv/maps/a.png");

$out .= shell_exec(sprintf('rendermap --lat %F --lon %F --zoom %d --style %s', $lat, $lon, $zoom, $style));

extract(['title' => $label, 'font' => 'DejaVu']);
$out .= shell_exec("convert /srv/maps/a.png -font $font -draw 'text 0,0 \"$title\"' /srv/maps/b.png");

header('Content-Type: text/plain');
echo $out;

if ($zoom > 18) {
    error_log('deep zoom requested');
}

if ($lat < -85 || $lat > 85) {
    error_log('outside of the projection');
}

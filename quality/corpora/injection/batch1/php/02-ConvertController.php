<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Routing\Controller;

class ConversionSettings
{
    public string $format = 'png';
    public ?string $caption = null;
    public int $density = 150;
}

class ConvertController extends Controller
{
    private ConversionSettings $settings;

    public function __construct()
    {
        $this->settings = new ConversionSettings();
    }

    public function store(Request $request)
    {
        $this->settings->caption = $request->input('caption');
        return response()->json(['lines' => $this->render()]);
    }

    private function render(): array
    {
        $out = [];
        exec('convert -density ' . $this->settings->density . ' /srv/a.pdf /srv/a.' . $this->settings->format, $out);
        exec("convert /srv/a.png -annotate 0 {$this->settings->caption} /srv/b.png", $out);
        return $out;
    }
}

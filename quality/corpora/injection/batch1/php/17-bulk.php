<?php

use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class BulkController extends \App\Http\Controllers\Controller
{
    public function byId(Request $request)
    {
        $ids = implode(',', array_map('intval', explode(',', $request->get('ids', ''))));
        return DB::select("SELECT id, name FROM parts WHERE id IN ($ids)");
    }

    public function byCode(Request $request)
    {
        $codes = collect(explode(',', $request->get('codes', '')))
            ->map(fn ($c) => trim($c))
            ->filter()
            ->map(fn ($c) => "'$c'")
            ->implode(',');
        return DB::select("SELECT id, name FROM parts WHERE code IN ($codes)");
    }

    public function byMaker(Request $request)
    {
        $makers = array_filter((array) $request->input('makers'));
        $marks = implode(',', array_fill(0, count($makers), '?'));
        return DB::select("SELECT id, name FROM parts WHERE maker IN ($marks)", array_values($makers));
    }
}

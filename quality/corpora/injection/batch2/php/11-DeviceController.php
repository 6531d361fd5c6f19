<?php

namespace App\Http\Controllers;

use App\Models\Device;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class DeviceController extends Controller
{
    private const SORTS = ['name', 'vendor', 'seen_at'];

    public function index(Request $request)
    {
        $sort = in_array($request->query('sort'), self::SORTS, true) ? $request->query('sort') : 'name';

        return Device::query()->where('active', true)->orderByRaw($sort . ' asc')->get();
    }

    public function vendors(Request $request)
    {
        $sort = $request->query('sort', 'vendor');

        return Device::query()->select('vendor')->distinct()->orderByRaw("$sort asc")->paginate(50);
    }

    public function stale(Request $request)
    {
        $sort = addslashes($request->query('sort', 'seen_at'));
        $rows = DB::select("select * from devices where seen_at < ? order by $sort", [now()->subMonth()]);

        return response()->json($rows);
    }
}

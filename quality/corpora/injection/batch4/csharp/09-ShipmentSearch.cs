using System.Data.Common;
using Microsoft.AspNetCore.Mvc;
using MySqlConnector;

namespace Freight.Api;

public enum ShipmentState { Draft, Booked, InTransit, Delivered }

[Route("shipments")]
public class ShipmentSearchController : Controller
{
    private static readonly string[] Searchable = { "origin", "destination", "carrier" };

    private readonly MySqlDataSource _source;

    public ShipmentSearchController(MySqlDataSource source) => _source = source;

    [HttpGet("filter")]
    public async Task<IActionResult> Filter()
    {
        var clauses = Request.Query
            .Where(q => q.Value.Count > 0)
            .Select(q => $"{q.Key} = '{q.Value[0]}'");
        var sql = "SELECT id, reference FROM shipments WHERE " + string.Join(" AND ", clauses);
        await using var command = _source.CreateCommand(sql);
        return Json(await Rows(command));
    }

    [HttpGet("lookup")]
    public async Task<IActionResult> Lookup()
    {
        var wanted = Request.Query.Where(q => Searchable.Contains(q.Key)).ToList();
        var clauses = wanted.Select((q, i) => $"{q.Key} = @p{i}").Prepend("1 = 1");
        var sql = "SELECT id, reference FROM shipments WHERE " + string.Join(" AND ", clauses);
        await using var command = _source.CreateCommand(sql);
        for (var i = 0; i < wanted.Count; i++)
            command.Parameters.AddWithValue("@p" + i, wanted[i].Value.ToString());
        return Json(await Rows(command));
    }

    [HttpPost("events")]
    public async Task<IActionResult> Events([FromForm] Dictionary<string, string> form)
    {
        await using var command = _source.CreateCommand();
        command.CommandText = "SELECT id, reference FROM shipments WHERE " + string.Join(" OR ", EventClauses(form));
        return Json(await Rows(command));
    }

    private static IEnumerable<string> EventClauses(Dictionary<string, string> form)
    {
        yield return "state = 'EXCEPTION'";
        foreach (var (port, text) in form)
        {
            if (Searchable.Contains(port))
                yield return $"{port} LIKE '%{text.Replace("%", "\\%")}%'";
        }
    }

    [HttpGet("state/{state}")]
    public async Task<IActionResult> ByState(ShipmentState state, [FromQuery] int[] ids)
    {
        var sql = $"SELECT id, reference FROM shipments WHERE state = {(int)state} AND id IN ({string.Join(",", ids.Append(0))})";
        await using var command = _source.CreateCommand(sql);
        return Json(await Rows(command));
    }

    private static async Task<List<object>> Rows(MySqlCommand command)
    {
        var rows = new List<object>();
        await using DbDataReader reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
            rows.Add(new { Id = reader.GetInt64(0), Reference = reader.GetString(1) });
        return rows;
    }
}

using System.Collections.Generic;
using System.Data;
using System.Text;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.SqlClient;
using Microsoft.Extensions.Logging;

namespace Pottery.Controllers;

[Route("kilns")]
public class KilnController : Controller
{
    private static readonly HashSet<string> Columns = new() { "cone", "peak_celsius", "started_at" };

    private readonly SqlConnection _connection;
    private readonly ILogger<KilnController> _logger;

    public KilnController(SqlConnection connection, ILogger<KilnController> logger)
    {
        _connection = connection;
        _logger = logger;
    }

    [HttpGet("search")]
    public async Task<IActionResult> Search([FromQuery] Dictionary<string, string> criteria)
    {
        var sql = new StringBuilder("SELECT id FROM firings WHERE 1 = 1");
        if (criteria.TryGetValue("glaze", out var glaze))
        {
            sql.Append(" AND glaze LIKE '%").Append(glaze).Append("%'");
        }
        using var command = new SqlCommand(sql.ToString(), _connection);
        return Json(await Ids(command));
    }

    [HttpGet("sorted")]
    public async Task<IActionResult> Sorted(string column, string potter)
    {
        if (!Columns.Contains(column))
        {
            return BadRequest("unknown column");
        }
        using var command = new SqlCommand($"SELECT id FROM firings WHERE potter = @potter ORDER BY {column}", _connection);
        command.Parameters.AddWithValue("@potter", potter);
        return Json(await Ids(command));
    }

    [HttpGet("grouped")]
    public async Task<IActionResult> Grouped(string column)
    {
        if (!Columns.Contains(column))
        {
            _logger.LogWarning("Grouping by unexpected column {Column}", column);
        }
        using var command = _connection.CreateCommand();
        command.CommandText = $"SELECT COUNT(*) FROM firings GROUP BY {column}";
        return Json(await Ids(command));
    }

    [HttpGet("range")]
    public async Task<IActionResult> Range([FromQuery] Dictionary<string, string> bounds)
    {
        using var command = _connection.CreateCommand();
        var clauses = new List<string> { "kind = 'bisque'" };
        foreach (var (_, value) in bounds)
        {
            var name = "@p" + command.Parameters.Count;
            clauses.Add("peak_celsius <> " + name);
            command.Parameters.Add(new SqlParameter(name, SqlDbType.NVarChar, 20) { Value = value });
        }
        command.CommandText = "SELECT id FROM firings WHERE " + string.Join(" AND ", clauses);
        return Json(await Ids(command));
    }

    private async Task<List<int>> Ids(SqlCommand command)
    {
        if (_connection.State != ConnectionState.Open)
        {
            await _connection.OpenAsync();
        }
        var ids = new List<int>();
        using var reader = await command.ExecuteReaderAsync();
        while (await reader.ReadAsync())
        {
            ids.Add(reader.GetInt32(0));
        }
        return ids;
    }
}

using System.Text;
using Npgsql;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddNpgsqlDataSource(builder.Configuration.GetConnectionString("devices")!);
var app = builder.Build();

app.MapGet("/devices", async (string? site, string? model, NpgsqlDataSource db) =>
{
    var sql = new StringBuilder("SELECT serial, site FROM devices WHERE retired = FALSE");
    if (site is { Length: > 0 })
        sql.Append(" AND site = '").Append(site).Append('\'');
    if (model is { Length: > 0 })
        sql.Append(" AND model = $1");
    await using var cmd = db.CreateCommand(sql.ToString());
    if (model is { Length: > 0 })
        cmd.Parameters.AddWithValue(model);
    return await ReadRows(cmd);
});

app.MapPost("/devices/lookup", async (string[] serials, NpgsqlDataSource db) =>
{
    if (serials.Length is 0 or > 500)
        return Results.BadRequest();
    var marks = string.Join(", ", serials.Select((_, i) => $"${i + 1}"));
    await using var cmd = db.CreateCommand($"SELECT serial, site FROM devices WHERE serial IN ({marks})");
    foreach (var serial in serials)
        cmd.Parameters.AddWithValue(serial);
    return Results.Ok(await ReadRows(cmd));
});

app.MapGet("/devices/export", async (HttpRequest request, NpgsqlDataSource db) =>
{
    var schema = request.Headers["X-Schema"].FirstOrDefault() ?? "public";
    await using var connection = await db.OpenConnectionAsync();
    await using var cmd = new NpgsqlCommand("SELECT serial, site FROM \"" + schema + "\".devices", connection);
    return await ReadRows(cmd);
});

app.MapGet("/devices/distinct/{column}", async (string column, NpgsqlDataSource db) =>
{
    var quoted = new NpgsqlCommandBuilder().QuoteIdentifier(column);
    await using var cmd = db.CreateCommand($"SELECT DISTINCT {quoted}::text, site FROM devices");
    return await ReadRows(cmd);
});

app.MapDelete("/devices", async (HttpContext context, NpgsqlDataSource db) =>
{
    using var reader = new StreamReader(context.Request.Body);
    var (serial, _) = Split(await reader.ReadToEndAsync());
    await using var cmd = db.CreateCommand();
    cmd.CommandText = string.Format("DELETE FROM devices WHERE serial = '{0}'", serial);
    return Results.Ok(await cmd.ExecuteNonQueryAsync());
});

app.Run();

static (string Serial, string Rest) Split(string line)
{
    var parts = line.Split(';', 2);
    return (parts[0].Trim(), parts.Length > 1 ? parts[1] : "");
}

static async Task<List<string[]>> ReadRows(NpgsqlCommand cmd)
{
    var rows = new List<string[]>();
    await using var reader = await cmd.ExecuteReaderAsync();
    while (await reader.ReadAsync())
        rows.Add(new[] { reader.GetString(0), reader.GetString(1) });
    return rows;
}

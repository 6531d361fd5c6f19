using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Dapper;
using HotChocolate;
using HotChocolate.Types;
using MySqlConnector;

namespace Orchard.GraphQL;

public record Cultivar(int Id, string Name, string Origin);

public enum RipeningOrder { Early, Late, Name }

public record CultivarFilter(string? Origin, string? Rootstock, bool OnlyHeritage);

[QueryType]
public class OrchardQueries
{
    public async Task<IEnumerable<Cultivar>> Cultivars([Service] MySqlDataSource source, CultivarFilter filter, RipeningOrder order)
    {
        var clauses = new List<string>();
        var parameters = new DynamicParameters();
        if (filter.Origin is not null)
        {
            clauses.Add("origin = @origin");
            parameters.Add("origin", filter.Origin);
        }
        if (filter.Rootstock is not null)
        {
            clauses.Add("rootstock = @rootstock");
            parameters.Add("rootstock", filter.Rootstock);
        }
        if (filter.OnlyHeritage)
        {
            clauses.Add("heritage = 1");
        }
        var where = clauses.Count > 0 ? " WHERE " + string.Join(" AND ", clauses) : "";
        var by = order switch
        {
            RipeningOrder.Early => "ripe_week ASC",
            RipeningOrder.Late => "ripe_week DESC",
            _ => "name",
        };
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync<Cultivar>("SELECT id, name, origin FROM cultivars" + where + " ORDER BY " + by, parameters);
    }

    public async Task<IEnumerable<Cultivar>> ByPollinators([Service] MySqlDataSource source, string[] names)
    {
        var list = string.Join(", ", names.Select(n => $"'{n}'"));
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync<Cultivar>(
            $"SELECT c.id, c.name, c.origin FROM cultivars c JOIN pollination p ON p.cultivar = c.id WHERE p.partner IN ({list})");
    }

    public async Task<IEnumerable<Cultivar>> ByDiseases([Service] MySqlDataSource source, string[] diseases)
    {
        await using var connection = await source.OpenConnectionAsync();
        return await connection.QueryAsync<Cultivar>(
            "SELECT id, name, origin FROM cultivars WHERE resistant_to IN @diseases", new { diseases });
    }

    public async Task<string?> Translation([Service] MySqlDataSource source, int id, string locale)
    {
        var column = string.Format("name_{0}", locale.Replace("-", "_"));
        await using var connection = await source.OpenConnectionAsync();
        return await connection.ExecuteScalarAsync<string?>(
            string.Format("SELECT {0} FROM cultivars WHERE id = @id", column), new { id });
    }

    public async Task<int> Harvest([Service] MySqlDataSource source, string year)
    {
        await using var connection = source.CreateConnection();
        await connection.OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT SUM(kg) FROM harvests WHERE season = " + Convert.ToInt32(year);
        return Convert.ToInt32(await command.ExecuteScalarAsync());
    }
}

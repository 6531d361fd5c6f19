using System;
using System.Collections.Generic;
using System.Data;
using System.Linq;
using System.Threading.Tasks;
using Dapper;
using Microsoft.AspNetCore.SignalR;

namespace Philately.Live;

public enum Catalogue { Michel, Scott, StanleyGibbons, Yvert }

public record Bid(int LotId, decimal Amount, string Paddle);

public record LotRow(int Id, string Title, decimal Highest);

public class StampAuctionHub : Hub
{
    private readonly IDbConnection _db;

    public StampAuctionHub(IDbConnection db)
    {
        _db = db;
    }

    public async Task PlaceBid(Bid bid)
    {
        if (bid.Amount <= 0)
        {
            throw new HubException("amount must be positive");
        }
        await _db.ExecuteAsync(
            "INSERT INTO bids (lot_id, amount, paddle) VALUES (@LotId, @Amount, @Paddle)", bid);
        await Clients.Group($"lot-{bid.LotId}").SendAsync("bid", bid.Amount);
    }

    public async Task<IEnumerable<LotRow>> Watch(string country, int page)
    {
        var sql = "SELECT id, title, highest FROM lots WHERE closed = 0 ";
        if (!string.IsNullOrWhiteSpace(country))
        {
            sql += "AND country = '" + country.Trim() + "' ";
        }
        sql += $"ORDER BY id OFFSET {page * 25} ROWS FETCH NEXT 25 ROWS ONLY";
        return await _db.QueryAsync<LotRow>(sql);
    }

    public async Task<int> CountByCatalogue(string name)
    {
        if (!Enum.TryParse<Catalogue>(name, true, out var catalogue) || !Enum.IsDefined(catalogue))
        {
            throw new HubException("unknown catalogue");
        }
        return await _db.ExecuteScalarAsync<int>($"SELECT COUNT(*) FROM lots WHERE catalogue = '{catalogue}'");
    }

    public async Task<IEnumerable<string>> Ranking(string orderBy)
    {
        var forbidden = new[] { ";", "--", "drop", "delete" };
        if (forbidden.Any(f => orderBy.Contains(f)))
        {
            return Enumerable.Empty<string>();
        }
        return await _db.QueryAsync<string>($"SELECT paddle FROM bidders ORDER BY {orderBy}");
    }

    public override async Task OnConnectedAsync()
    {
        await Groups.AddToGroupAsync(Context.ConnectionId, "hall");
        await base.OnConnectedAsync();
    }
}
